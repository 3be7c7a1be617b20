import { canonicalJson } from '../canonical-json.ts'
import { findMissing, type MissingWords } from '../connections/needs.ts'
import type { Context } from '../context.ts'
import { hashOf } from '../files/identity.ts'
import { fileFaults } from '../files/owned.ts'
import { holdFiles } from '../files/store.ts'
import { newId, sha256Hex } from '../ids.ts'
import { defineOperation } from '../operation.ts'
import { Problem, type Fault } from '../problem.ts'
import { quotaProblem } from '../quotas/quota.ts'
import { sampleOf } from '../tasks/work/settle.ts'
import { sampleSubmission, taskOf } from '../tasks/submit.ts'
import { hasPassed, type Task } from '../tasks/task.ts'
import { bundleFromArchive, bundleFromFiles, readBundle, type Bundle } from './bundle.ts'
import { checkDescriptor } from './descriptor/index.ts'
import { fileIdentities, type Descriptor } from './descriptor/descriptor.ts'
import { EXAMPLE } from './example.ts'
import { checkRoom, toolStanding } from './room.ts'
import { sampleAnswer, SAMPLE_WAIT_MS } from './sample.ts'
import { SAVE_DESCRIPTION, SAVE_INPUT } from './save-text.ts'
import { searchText } from './search/text.ts'
import { findVersion, insertVersion, setSampleState, setSampleTask } from './store.ts'
import { codeKey, openCode, parseToolRef, type ToolVersion } from './tool.ts'

interface SaveTool {
  descriptor: unknown
  files?: Record<string, string>
  bytes_base64?: string
}

/** The code of a save: sent along, kept from the version before, or none. */
interface Code {
  hash: string | null
  paths: string[]
  isKept: boolean
  tar?: Bundle['tar']
}

export const saveTool = defineOperation({
  name: 'save_tool',
  title: 'Save a tool',
  description: SAVE_DESCRIPTION,
  scope: 'write',
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  input: SAVE_INPUT,
  example: { ...EXAMPLE },
  output: {
    type: 'object',
    properties: {
      tool_id: { type: 'string' },
      version: { type: 'integer' },
      sample_check: { type: 'object' },
      error: { type: 'object' },
    },
  },
  async run(ctx, input: SaveTool) {
    const earlier = await findEarlier(ctx, input.descriptor)
    const { descriptor, code, warnings } = await check(ctx, input, earlier)
    const hash = await sha256Hex(canonicalJson({ descriptor, code: code.hash }))
    if (hash !== earlier?.hash) await checkRoom(ctx, { descriptor, isNew: !earlier })
    const version = await store(ctx, { descriptor, hash }, code)
    await holdSamples(ctx, version)
    const saved = {
      tool_id: version.toolId,
      version: version.version,
      hash: version.hash,
      ...(version.hash === earlier?.hash && { is_unchanged: true }),
      ...(code.isKept && { note: 'No code was sent, so the code of the version before was kept.' }),
      ...(warnings.length > 0 && { warnings }),
    }
    const missing =
      version.sampleTaskId === null ? await findMissing(ctx, descriptor, 'save the tool again') : null
    if (missing) return { ...saved, ...(await leaveSample(ctx, version, missing)) }
    const task = await runSample(ctx, version)
    return { ...saved, sample_check: sampleAnswer(task), next_call: nextCall(ctx, version, task) }
  },
  audit: {
    act: 'tool_saved',
    subject: (_, { tool_id, version, is_unchanged }) => (is_unchanged ? null : `${tool_id}@${version}`),
  },
})

/** The newest version under the id that a descriptor names, if there is one. */
async function findEarlier({ db, caller }: Context, raw: unknown): Promise<ToolVersion | undefined> {
  const id = raw !== null && typeof raw === 'object' && 'id' in raw ? raw.id : undefined
  const ref = typeof id === 'string' ? parseToolRef(id, caller.handle) : null
  return ref?.maker === null ? findVersion(db, caller.accountId, { ...ref, pin: null }) : undefined
}

/** Everything that can be wrong with a save, at once; nothing is stored before. */
async function check(ctx: Context, input: SaveTool, earlier: ToolVersion | undefined) {
  const { code, faults } = await readCode(ctx, input, earlier)
  const paths = code && { paths: code.paths }
  const checked = checkDescriptor(input.descriptor, paths, ctx.caller.handle)
  const samples = checked.descriptor ? await sampleFaults(ctx, checked.descriptor) : []
  const places = await placeFaults(ctx, checked.descriptor, earlier)
  const all = [...checked.faults, ...faults, ...places, ...samples]
  if (!checked.descriptor || !code || all.length > 0) throw refusal(all)
  return { descriptor: checked.descriptor, code, warnings: checked.warnings }
}

/** Files that a sample names must be the maker's own. */
async function sampleFaults(ctx: Context, descriptor: Descriptor): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const [i, check] of descriptor.verify.entries()) {
    if (check.kind !== 'sample-run') continue
    for (const fault of await fileFaults(ctx, descriptor, check.input)) {
      faults.push({ ...fault, path: `descriptor.verify[${i}].${fault.path}` })
    }
  }
  return faults
}

function refusal(problems: Fault[]): Problem {
  const [first] = problems
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more, in problems)` : ''
  return new Problem('invalid_descriptor', `Nothing was saved: ${first?.path} ${first?.message}${more}.`, {
    field: first?.path,
    hint: 'Correct every problem listed and save again; next_call is a complete working save to compare with.',
    problems,
    nextCall: { tool: 'save_tool', arguments: { ...EXAMPLE } },
  })
}

/** What only the place or the catalogue can tell of a descriptor that is otherwise in order. */
async function placeFaults(
  ctx: Context,
  descriptor: Descriptor | null,
  earlier: ToolVersion | undefined,
): Promise<Fault[]> {
  if (!descriptor) return []
  const faults: Fault[] = []
  if (earlier && earlier.toolId !== descriptor.id) {
    faults.push({
      path: 'descriptor.id',
      message: `differs only by case from ${earlier.toolId}, which this account has`,
      hint: `use ${earlier.toolId} to save a new version of it, or another id`,
    })
  }
  const { kind } = descriptor.invoke
  const invoke = ctx.invokes[kind]
  if (invoke) return [...faults, ...(await invoke.check(descriptor))]
  const known = Object.keys(ctx.invokes).join(', ')
  return [
    ...faults,
    {
      path: 'descriptor.invoke.kind',
      message: `is ${kind}, which this server does not run`,
      hint: `use ${known}`,
    },
  ]
}

async function readCode(
  ctx: Context,
  { files, bytes_base64 }: SaveTool,
  earlier: ToolVersion | undefined,
): Promise<{ code: Code | null; faults: Fault[] }> {
  if (files !== undefined && bytes_base64 !== undefined) {
    const hint = 'send the code as one of the two'
    return { code: null, faults: [{ path: 'bytes_base64', message: 'stands beside files', hint }] }
  }
  if (files === undefined && bytes_base64 === undefined)
    return { code: await keptCode(ctx, earlier), faults: [] }
  const made =
    bytes_base64 === undefined ? await bundleFromFiles(files ?? {}) : await bundleFromArchive(bytes_base64)
  if (!made.ok) return { code: null, faults: made.faults }
  const { hash, tar, files: entries } = made.bundle
  return { code: { hash, tar, paths: entries.map(({ path }) => path), isKept: false }, faults: [] }
}

async function keptCode({ bytes }: Context, earlier: ToolVersion | undefined): Promise<Code> {
  const hash = earlier?.codeHash ?? null
  if (hash === null) return { hash, paths: [], isKept: false }
  const object = await openCode(bytes, hash)
  const entries = await readBundle(new Uint8Array(await object.arrayBuffer()))
  return { hash, paths: entries.map(({ path }) => path), isKept: true }
}

/** Code first, then the version that names it: a cut between the two leaves bytes that nothing points at. */
async function store(
  ctx: Context,
  { descriptor, hash }: { descriptor: Descriptor; hash: string },
  code: Code,
): Promise<ToolVersion> {
  if (code.tar && code.hash) {
    await ctx.bytes.put(codeKey(code.hash), code.tar, {
      onlyIf: { etagDoesNotMatch: '*' },
      sha256: code.hash,
    })
  }
  const { job, input_schema, output_schema } = descriptor
  const version = await insertVersion(ctx.db, {
    accountId: ctx.caller.accountId,
    toolRow: newId('tool', ctx),
    slug: descriptor.id.replace(/^tool:/, ''),
    hash,
    descriptor,
    codeHash: code.hash,
    promise: await sha256Hex(canonicalJson({ job, input_schema, output_schema })),
    text: searchText(descriptor, ctx.caller.handle),
    now: ctx.now(),
    quota: ctx.quotas.tools,
  })
  if (version) return version
  throw quotaProblem(await toolStanding(ctx), ctx.now())
}

/** A version holds the files of its samples, so that it can be tried again. */
async function holdSamples({ db, caller }: Context, { id, descriptor }: ToolVersion): Promise<void> {
  const hashes = descriptor.verify.flatMap((check) =>
    check.kind === 'sample-run'
      ? fileIdentities(descriptor, check.input).flatMap(({ identity }) => hashOf(identity) ?? [])
      : [],
  )
  if (hashes.length > 0) await holdFiles(db, { accountId: caller.accountId, holder: `version:${id}`, hashes })
}

/** A sample that lacks a connection is not run: the next save of the same tool runs it. */
async function leaveSample({ db }: Context, { id }: ToolVersion, { message, hint }: MissingWords) {
  await setSampleState(db, id, 'failed')
  const error = {
    code: 'connection_missing',
    message: `The sample was not run: ${message}`,
    hint,
  }
  const sample_check = { passed: false, state: 'not_run', task_id: null, checks: [], error, took_ms: null }
  return { sample_check, next_call: { tool: 'list_connections', arguments: {} } }
}

/** Runs the sample once for each version, however often it is saved. */
async function runSample(ctx: Context, version: ToolVersion): Promise<Task> {
  const { id, sampleState, sampleTaskId } = version
  // A sample that failed is tried again: what it needed may be there by now.
  const again = sampleState === 'failed' ? `:${sampleTaskId}` : ''
  const sample = { id: newId('task', ctx), key: `sample:${id}${again}`, job: 'sample run of a save' }
  const submission = sampleSubmission(version, ctx.caller.accountId, sample)
  const begun = taskOf(await ctx.tasks.submit(submission, 0), ctx.now())
  if (version.sampleTaskId !== begun.id) await setSampleTask(ctx.db, version.id, begun.id)
  const task = (await ctx.tasks.read(begun.id, SAMPLE_WAIT_MS)) ?? begun
  // The task object tells the catalogue too, but maybe after this answer, and a search may follow at once.
  if (task.verdict) await setSampleState(ctx.db, version.id, hasPassed(task) ? 'passed' : 'failed')
  return task
}

/** A passed sample is there to be run, a working one to be read, a failed one to be looked at. */
function nextCall(ctx: Context, { toolId, descriptor }: ToolVersion, task: Task) {
  if (hasPassed(task)) {
    const input = sampleOf(descriptor)?.input ?? {}
    return { tool: 'run_tool', arguments: { tool_id: toolId, input, request_key: newId('run', ctx) } }
  }
  return { tool: 'read_task', arguments: { task_id: task.id, wait_seconds: 25 } }
}
