/** What is known of a version's earlier runs. Weights count reports by who made them and how long ago. */
export interface Evidence {
  runs: number
  contract_passed: number
  reported_met: number
  reported_failed: number
  accounts: number
  met_weight: number
  failed_weight: number
  reporters: number
}

export const NO_EVIDENCE: Evidence = {
  runs: 0,
  contract_passed: 0,
  reported_met: 0,
  reported_failed: 0,
  accounts: 0,
  met_weight: 0,
  failed_weight: 0,
  reporters: 0,
}

/** Reports that every tool is taken to have besides its own: three lucky ones must not beat a hundred. */
const PRIOR_REPORTS = 10
/** Share of reports that say met where nothing is known, and how many reports that guess is worth. */
const USUAL_MET = 0.8
const USUAL_REPORTS = 20
/** How far evidence may lift or lower a tool, of the best candidate's relevance: it orders like matches only. */
const MOST = 0.1
/** Fewer reporters than this could be one person's friends: they move a tool a third as far. */
const ENOUGH_REPORTERS = 3
const MOST_OF_FEW = 0.03
/** The difference in log odds, .5 to .8 say, that moves a tool all the way. */
const FULL_LOGIT = 1.5

/** The share of reports that say met among some tools: what a tool without reports is taken to have. */
export function usualShare(evidence: Evidence[]): number {
  const sum = (pick: (one: Evidence) => number): number =>
    evidence.reduce((total, one) => total + pick(one), 0)
  const met = sum((one) => one.met_weight) + USUAL_MET * USUAL_REPORTS
  return met / (met + sum((one) => one.failed_weight) + (1 - USUAL_MET) * USUAL_REPORTS)
}

/** What people's reports add to a tool's relevance: between -.10 and +.10. */
export function outcome({ met_weight, failed_weight, reporters }: Evidence, usual: number): number {
  const share = (met_weight + PRIOR_REPORTS * usual) / (met_weight + failed_weight + PRIOR_REPORTS)
  const moved = (MOST * (logit(share) - logit(usual))) / FULL_LOGIT
  const most = reporters < ENOUGH_REPORTERS ? MOST_OF_FEW : MOST
  return Math.min(most, Math.max(-most, moved))
}

const logit = (share: number): number => Math.log(share / (1 - share))
