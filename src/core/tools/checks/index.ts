/**
 * The verify checks of a tool, over what it returned. A failed check leaves the task completed: it says that
 * the output is not the one that its maker promised.
 */
import { parseSelector, select } from '../../selector.ts'
import type { Selected } from '../../selector.ts'
import type { OutputCheck, SampleRun, VerifyCheck } from '../descriptor/descriptor.ts'
import { compact, shown, type Failing } from './compact.ts'
import { closeTo, within } from './numbers.ts'

export interface CheckResult {
  kind: VerifyCheck['kind']
  passed: boolean
  /** Why it failed, or why there was nothing to check. */
  message?: string
}

/** What a run took and returned. */
export interface Run {
  input: Record<string, unknown>
  output: unknown
}

/** The checks that follow every run; samples are left out. `passed` is true when there is none. Never throws. */
export function runChecks(verify: VerifyCheck[], run: Run): { passed: boolean; checks: CheckResult[] } {
  const checks = verify.flatMap((check) => (check.kind === 'sample-run' ? [] : [runCheck(check, run)]))
  return { passed: checks.every(({ passed }) => passed), checks }
}

/** Whether the output of a sample holds what its maker says that the right answer contains. Never throws. */
export function checkSample({ kind, output_selector, contains }: SampleRun, output: unknown): CheckResult {
  return verdict(
    kind,
    onSelected(output_selector, output, (value) => lacks(value, contains)),
  )
}

function runCheck(check: OutputCheck, { input, output }: Run): CheckResult {
  const { kind, output_selector } = check
  const on = (judge: (value: unknown) => Failing) => verdict(kind, onSelected(output_selector, output, judge))
  if (kind === 'output-contains') return on((value) => lacks(value, check.text))
  if (kind === 'output-number-within') return on((value) => within(value, check))
  const field =
    kind === 'output-contains-input' ? check.field : 'to_field' in check ? check.to_field : undefined
  if (field !== undefined && !Object.hasOwn(input, field)) {
    return {
      kind,
      passed: true,
      message: `The input has no ${shown(field)}: there was nothing to compare with.`,
    }
  }
  const wanted = field === undefined ? undefined : input[field]
  if (kind === 'output-contains-input') return on((value) => lacks(value, compact(wanted)))
  return on((value) => closeTo(value, 'to' in check ? check.to : wanted, check.within))
}

function verdict(kind: VerifyCheck['kind'], failing: Failing): CheckResult {
  return failing === undefined ? { kind, passed: true } : { kind, passed: false, message: failing }
}

function onSelected(selector: string, output: unknown, judge: (value: unknown) => Failing): Failing {
  const selected = follow(selector, output)
  return selected.found ? judge(selected.value) : `The output has nothing to check: ${selected.message}.`
}

function follow(selector: string, output: unknown): Selected {
  const parsed = parseSelector(selector)
  return parsed.ok ? select(parsed.selector, output) : { found: false, message: parsed.message }
}

/** Looks in a text as it is, in anything else in its compact JSON. */
function lacks(value: unknown, text: string): Failing {
  const isThere = compact(value).includes(text)
  return isThere ? undefined : `The output ${shown(value)} does not contain ${shown(text)}.`
}
