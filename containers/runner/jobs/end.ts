import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { statfsSync } from 'node:fs'
import { constants } from 'node:os'
import type { Place } from '../sandbox/place.ts'
import type { Report } from '../sandbox/sandbox.ts'
import type { JobEnd, JobRequest } from '../wire.ts'
import type { Tail } from './capture.ts'

/** Why the runner itself ended a run. */
export type Cut = 'timed_out' | 'out_of_memory' | 'output_too_large' | 'stopped'

/** What is known of a run when it is over. */
export interface Facts {
  request: JobRequest
  told: Report
  cut: Cut | null
  place: Place
  stdout: Buffer
  stderr: Tail
  tookMs: number
}

type Verdict = Pick<JobEnd, 'outcome' | 'exit_code' | 'signal' | 'message'>

const { ENOENT, EACCES, ENOEXEC } = constants.errno

/** What programs say when a disk is full, or a file as large as it may be. */
const FULL = /ENOSPC|No space left on device|EFBIG|File too large/

const PROGRAMS = 'python3, node, ffmpeg, ffprobe, sh, perl and the usual Debian commands'

export function describeEnd(facts: Facts): JobEnd {
  const { stdout, stderr } = facts
  const verdict = judge(facts)
  return {
    ...verdict,
    message: verdict.message ?? hintOf(facts),
    stdout: stdout.toString('utf8'),
    stdout_bytes: stdout.length,
    stdout_sha256: sha256(stdout),
    stdout_utf8: isUtf8(stdout),
    stderr: stderr.text(),
    stderr_bytes: stderr.total,
    took_ms: facts.tookMs,
  }
}

/** The end of a job whose script never ran. */
export function notStarted(message: string): JobEnd {
  return withoutOutput(plain('not_started', message))
}

/** The end of a job that was ended by a fault of the runner after its script had started. */
export function lost(message: string): JobEnd {
  return withoutOutput({ ...signalled(constants.signals.SIGKILL), message: `The runner lost it: ${message}` })
}

function withoutOutput(verdict: Verdict): JobEnd {
  return {
    ...verdict,
    stdout: '',
    stdout_bytes: 0,
    stdout_sha256: sha256(Buffer.alloc(0)),
    stdout_utf8: true,
    stderr: '',
    stderr_bytes: 0,
    took_ms: 0,
  }
}

function judge({ request, told, cut, place }: Facts): Verdict {
  if (cut) return plain(cut, null)
  if (place.cgroup && place.cgroup.outOfMemoryKills() > 0) return plain('out_of_memory', null)
  if (told.kind === 'failed') return judgeUnexecuted(request.argv[0] ?? '', told.errno)
  if (told.kind === 'lost')
    return { ...signalled(constants.signals.SIGKILL), message: 'Its sandbox ended with it.' }
  const signal = told.status & 0x7f
  return signal ? signalled(signal) : exited(told.status >> 8, null)
}

/** As a shell would answer: 127 for a program that is missing, 126 for one that cannot be executed. */
function judgeUnexecuted(program: string, errno: number): Verdict {
  if (errno === ENOENT && !program.includes('/')) {
    return exited(127, `There is no program "${program}" in the image. There are: ${PROGRAMS}.`)
  }
  if (errno === ENOENT)
    return exited(127, `There is no file "${program}", or the interpreter in its first line is missing.`)
  if (errno === EACCES)
    return exited(126, `"${program}" is not marked as executable; name its interpreter first.`)
  if (errno === ENOEXEC) return exited(126, `"${program}" is not a program; name its interpreter first.`)
  return plain(
    'not_started',
    `The system could not execute "${program}" (error ${errno}); are its arguments too long?`,
  )
}

function hintOf({ request, place, stderr }: Facts): string | null {
  const { disk_mb: megabytes, processes } = request.limits
  const isFull = isDiskFull(place.slot.disk) || FULL.test(stderr.text())
  if (isFull) return `Its disk of ${megabytes} MB (/work, /tmp and /dev/shm together) was full.`
  const refused = place.cgroup?.refusedProcesses() ?? 0
  return refused > 0 ? `It asked for more than ${processes} processes and threads.` : null
}

function isDiskFull(folder: string): boolean {
  try {
    const { bavail, ffree } = statfsSync(folder)
    return bavail === 0 || ffree === 0
  } catch {
    return false
  }
}

function plain(outcome: JobEnd['outcome'], message: string | null): Verdict {
  return { outcome, exit_code: null, signal: null, message }
}

function exited(code: number, message: string | null): Verdict {
  return { outcome: 'exited', exit_code: code, signal: null, message }
}

function signalled(number: number): Verdict {
  const name = Object.entries(constants.signals).find(([, value]) => value === number)?.[0]
  return { outcome: 'signalled', exit_code: null, signal: name ?? `SIG${number}`, message: null }
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
