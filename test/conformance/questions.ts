import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type ClientCapabilities,
  type InputRequest,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server'

/** What the app says that it can do, in the protocol that says it with each request. */
export const abilitiesOf = ({ mcpReq }: ServerContext): ClientCapabilities | undefined =>
  (mcpReq.envelope as Record<string, ClientCapabilities> | undefined)?.[CLIENT_CAPABILITIES_META_KEY]

/** What is still to be asked, given what came back and the state that the app carries; none: the tool is done. */
interface Question {
  requests(ctx: ServerContext, round: number): Record<string, InputRequest>
  /** How many rounds of questions there are. */
  rounds?: number
  /** Sends the round along, sealed. */
  isSealed?: boolean
}

const ELICIT = (message: string, field: string) => {
  const properties = { [field]: { type: 'string' as const } }
  return inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties, required: [field] },
  })
}
const SAMPLE = (words: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: words } }],
    maxTokens: 100,
  })
const name = () => ELICIT('What is your name?', 'name')
const confirm = () => ({
  confirm: inputRequired.elicit({
    message: 'Please confirm',
    requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
  }),
})

/** Tools that ask back, by the names that the suites know. */
export const QUESTIONS: Record<string, Question> = {
  test_input_required_result_elicitation: { requests: () => ({ user_name: name() }) },
  test_streaming_elicitation: { requests: () => ({ user_name: name() }) },
  test_input_required_result_sampling: {
    requests: () => ({ capital_question: SAMPLE('What is the capital of France?') }),
  },
  test_input_required_result_list_roots: { requests: () => ({ client_roots: inputRequired.listRoots() }) },
  test_input_required_result_request_state: { requests: confirm, isSealed: true },
  test_input_required_result_tampered_state: { requests: confirm, isSealed: true },
  test_input_required_result_multiple_inputs: {
    requests: () => ({
      user_name: name(),
      greeting: SAMPLE('Generate a greeting'),
      client_roots: inputRequired.listRoots(),
    }),
    isSealed: true,
  },
  test_input_required_result_multi_round: {
    requests: (_ctx, round): Record<string, InputRequest> =>
      round === 0
        ? { step1: ELICIT('Step 1: What is your name?', 'name') }
        : { step2: ELICIT('Step 2: What is your favorite color?', 'color') },
    rounds: 2,
    isSealed: true,
  },
  test_input_required_result_capabilities: {
    requests(ctx) {
      const can = abilitiesOf(ctx)
      return {
        ...(can?.elicitation && { user_name: name() }),
        ...(can?.sampling && { greeting: SAMPLE('Generate a greeting') }),
      }
    },
  },
}

const seal = createRequestStateCodec({ key: 'k'.repeat(32) })

/** Asks what is left to ask, or says what came back. */
export async function ask(
  question: Question,
  ctx: ServerContext,
): Promise<InputRequiredResult | CallToolResult> {
  const { rounds = 1, isSealed = false } = question
  const { inputResponses } = ctx.mcpReq
  const round = await roundOf(ctx)
  const asked = question.requests(ctx, round)
  const isAnswered =
    inputResponses !== undefined && Object.keys(asked).every((key) => isGiven(inputResponses, key))
  if (isAnswered && round + 1 >= rounds) {
    const words = `state-ok ${JSON.stringify(inputResponses)}`
    return { content: [{ type: 'text', text: words }] }
  }
  const next = isAnswered ? round + 1 : round
  const inputRequests = isAnswered ? question.requests(ctx, next) : asked
  return inputRequired({
    inputRequests,
    ...(isSealed && { requestState: await seal.mint({ round: next }, ctx) }),
  })
}

const isGiven = (responses: Record<string, unknown>, key: string): boolean =>
  acceptedContent(responses, key) !== undefined ||
  ['sampling', 'roots'].includes(inputResponse(responses, key).kind)

async function roundOf(ctx: ServerContext): Promise<number> {
  const state = ctx.mcpReq.requestState<string>()
  if (state === undefined) return 0
  try {
    return ((await seal.verify(state, ctx)) as { round: number }).round
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState')
  }
}
