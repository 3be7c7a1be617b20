import type { Done, End, Failure, RawResult } from '../../../invokes/invoke.ts'
import { validate } from '../../json-schema/index.ts'
import { LIMITS } from '../../limits.ts'
import { parseSelector, select } from '../../selector.ts'
import { lastLine, readStrictJson } from '../../strict-json.ts'
import { shown } from '../../tools/checks/compact.ts'
import { checkSample, runChecks } from '../../tools/checks/index.ts'
import { resultSelector, type Descriptor, type SampleRun } from '../../tools/descriptor/descriptor.ts'
import type { Contract, TaskFile, Verdict } from '../task.ts'

/** What a run was asked: the version's descriptor, its input, and whether its sample's answer counts. */
export interface Asked {
  descriptor: Descriptor
  input: Record<string, unknown>
  isSample: boolean
  /** What the run made. */
  files?: Record<string, TaskFile>
}

type Taken = { ok: true; value: unknown } | { ok: false; message: string; hint?: string }

/** From how the work ended to how the task ends: read the result, select, check. */
export function settle(asked: Asked, end: End): Verdict {
  if (end.reason !== 'done') return failure(end)
  const taken = takeOutput(asked, end.raw)
  if (!taken.ok) {
    return failure({ reason: 'output_invalid', message: taken.message, hint: taken.hint, raw: end.raw })
  }
  return success(asked, end, taken.value)
}

function success(asked: Asked, end: Done, output: unknown): Verdict {
  const { passed, checks } = runChecks(asked.descriptor.verify, { input: asked.input, output })
  const sample = asked.isSample ? sampleOf(asked.descriptor) : undefined
  const sampleCheck = sample && checkSample(sample, output)
  return {
    ...printed(end.raw),
    state: 'completed',
    endReason: 'done',
    output,
    ...(asked.files && { files: asked.files }),
    contract: sampleCheck
      ? { passed: passed && sampleCheck.passed, checks: [...checks, sampleCheck] }
      : { passed, checks },
    error: null,
    stdout: null,
  }
}

function failure({ reason, message, hint, isRetryable, raw }: Failure): Verdict {
  return {
    ...printed(raw ?? {}),
    state: 'failed',
    endReason: reason,
    contract: NOT_CHECKED,
    error: { code: reason, message, ...(hint && { hint }), ...(isRetryable && { retryable: true }) },
  }
}

const NOT_CHECKED: Contract = { passed: false, checks: [] }

function printed(raw: RawResult) {
  return {
    exitCode: raw.exit_code ?? null,
    stdout: tail(raw.stdout ?? ''),
    stderr: tail(raw.stderr ?? ''),
    ...(raw.usage && { usage: raw.usage }),
    tookMs: raw.took_ms ?? null,
    ...(raw.tokens !== undefined && { tokens: raw.tokens }),
  }
}

/** The last few kilobytes, whole characters only, with a note where that is not all; null for nothing. */
function tail(text: string): string | null {
  if (text === '') return null
  if (text.length <= LIMITS.stderrShown) return text
  const cut = text.slice(-TAIL_CHARS)
  return `[cut: the last ${TAIL_CHARS} characters]\n${/^[\uDC00-\uDFFF]/.test(cut) ? cut.slice(1) : cut}`
}

/** Leaves room for the note. */
const TAIL_CHARS = LIMITS.stderrShown - 96

/** The sample that a save runs: the first one named. */
export function sampleOf({ verify }: Descriptor): SampleRun | undefined {
  return verify.find((check) => check.kind === 'sample-run')
}

function takeOutput({ descriptor, files }: Asked, raw: RawResult): Taken {
  const result = readResult(descriptor, raw, files)
  if (!result.ok) return result
  const selector = resultSelector(descriptor)
  const parsed = parseSelector(selector)
  const selected = parsed.ok
    ? select(parsed.selector, result.value)
    : { found: false as const, message: parsed.message }
  if (!selected.found) {
    return {
      ok: false,
      message: `The result selector ${selector} found nothing: ${selected.message}.`,
      hint: 'Let the tool return that field, or save it again with another result_selector.',
    }
  }
  const [fault] = validate(descriptor.output_schema, selected.value, 'output')
  if (!fault) return { ok: true, value: selected.value }
  return {
    ok: false,
    message: `The output does not match the tool's output_schema: ${fault.path} ${fault.message}.`,
    hint: fault.hint ?? 'Change what the tool returns, or save it again with another output_schema.',
  }
}

/** What came back as JSON; of a script, what it printed, read as JSON where the tool says so. */
function readResult({ invoke }: Descriptor, raw: RawResult, files: Asked['files']): Taken {
  if (invoke.kind !== 'container') return { ok: true, value: raw.result }
  const { took_ms: _, made: __, ...printed } = raw
  const value = { ...printed, ...(files && { files }) }
  if (invoke.stdout !== 'json') return { ok: true, value }
  const line = lastLine(raw.stdout ?? '')
  if (line === undefined) {
    return {
      ok: false,
      message: 'The script printed nothing; with "stdout": "json" its last printed line must be JSON.',
      hint: 'Print the result once: print(json.dumps(result)) in Python, console.log(JSON.stringify(result)) in Node.',
    }
  }
  const read = readStrictJson(line)
  if (read.ok) return { ok: true, value: { ...value, result: read.value } }
  return {
    ok: false,
    message: `The last printed line is not strict JSON at ${read.path}: ${read.message}. The line begins with ${shown(line)}.`,
    hint: read.hint,
  }
}
