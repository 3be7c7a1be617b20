/**
 * What the Worker and the runner say to each other: HTTP on one port, JSON bodies, `authorization: Bearer <secret>`
 * on every request. Anything wrong with a request answers 4xx with `{error: {code, message}}`.
 *
 *     GET    /health                 → 200 Health (no secret needed for the bare 200)
 *     PUT    /bundles/<sha256>       → 204; the body is an uncompressed tar of files under `work/`, checked against its hash
 *     HEAD   /inputs/<sha256>        → 204 when that file is here, else 404
 *     PUT    /inputs/<sha256>        → 204; the body is a file that jobs read, checked against its hash
 *     POST   /jobs?wait_ms=N         → 200 JobState; a job id known already answers with that job and starts nothing
 *                                      409 `bundle_missing`, `input_missing`: PUT it and ask again
 *                                      412 `other_boot`: the runner was restarted; nothing was started; body.boot is the new one
 *                                      503 `busy`: no room now; `unsealed`: nothing is run here; nothing was started
 *     GET    /jobs/<id>?wait_ms=N    → 200 JobState, at once when ended, else after at most N ms (0–25,000)
 *                                      404 `unknown_job`; 410 `forgotten_job`: it ended and its end was dropped
 *     GET    /jobs/<id>/outputs/<name> → 200 the bytes of a file that the job made; 404 when they are gone
 *     DELETE /jobs/<id>              → 200 JobState of the ended job: the whole process tree is gone. Safe twice.
 *                                      A job not known yet will never start: it counts as ended from here on. What is
 *                                      kept of its outputs is dropped.
 *
 * Ends are kept in memory for 10 minutes at least while space lasts (64 MB), then only the ids.
 * Outputs are kept on disk for 10 minutes while space lasts, inputs until others need their space.
 */

/** One run of a script. */
export interface JobRequest {
  /** The task's id, one job a task: 1–200 of `[A-Za-z0-9:_-]`. */
  id: string
  /** Whose it is: accounts take turns where several share a machine. */
  account: string
  /** The boot the caller means, from `/health`. */
  boot: string
  /** Program first, then its arguments: no NUL, each at most 131,071 bytes. */
  argv: string[]
  /** What stdin holds; `null` is `/dev/null`. */
  stdin: string | null
  /** Added to the sandbox's own environment. */
  env: Record<string, string>
  /** sha256 (64 lower hex) of the tar that fills `/work`, or `null` for an empty one. */
  bundle: string | null
  /** Files that it reads at `/inputs/<sha256>/<name>`; none when left out. */
  inputs?: JobInput[]
  /** Files that it makes, taken when it has exited with 0; none when left out. */
  outputs?: JobFile[]
  limits: JobLimits
}

export interface JobInput {
  sha256: string
  /** 1–255 bytes, one segment of a path. */
  name: string
}

export interface JobFile {
  /** A letter, then up to 62 letters, digits, `_` or `-`. */
  name: string
  /** Below `/work/`, without `.`, `..` and empty segments. */
  path: string
  media_type: string
}

/** What became of a file that a job was to make. `link`: it or a folder above it is a symbolic link. */
export type JobOutput = JobFile & ({ size: number; sha256: string } | { fault: JobOutputFault })
export type JobOutputFault = 'missing' | 'folder' | 'link' | 'special' | 'too_large' | 'not_kept'

export interface JobLimits {
  wall_ms: number
  memory_mb: number
  disk_mb: number
  processes: number
  /** Past this many bytes of stdout the run is ended. */
  stdout_bytes: number
  /** stderr keeps its last so many bytes. */
  stderr_bytes: number
}

export type JobState =
  | { id: string; boot: string; state: 'preparing' | 'running' }
  | { id: string; boot: string; state: 'ended'; end: JobEnd }

/**
 * The end record. `exited` and `signalled` are the program's own doing; the others name the limit that was applied.
 * `not_started`: the script never ran (`message` says why) and no effect is possible.
 */
export interface JobEnd {
  outcome:
    | 'exited'
    | 'signalled'
    | 'timed_out'
    | 'out_of_memory'
    | 'output_too_large'
    | 'stopped'
    | 'not_started'
  exit_code: number | null
  /** `SIGSEGV`, …; only for `signalled`. */
  signal: string | null
  /** What was printed, at most `stdout_bytes`; malformed UTF-8 is replaced and `stdout_utf8` is false. */
  stdout: string
  stdout_bytes: number
  /** sha256 of the bytes kept of stdout. */
  stdout_sha256: string
  stdout_utf8: boolean
  /** The tail that was kept. */
  stderr: string
  /** How many bytes were written to stderr in all. */
  stderr_bytes: number
  /** From the start of the script to its end. */
  took_ms: number
  /** One for each output that was asked for, of a job that exited with 0. */
  outputs?: JobOutput[]
  /** A word that helps, e.g. that the disk was full or why it was not started. */
  message: string | null
}

export interface Health {
  ok: boolean
  boot: string
  /** What this runner's own test of its sandbox showed. `sealed` false: it runs nothing. */
  sandbox: {
    sealed: boolean
    kind: string
    namespaces: boolean
    cgroup: string | null
    user_ids: boolean
    problems: string[]
    /** Promises that hold less in this kind of sandbox, in words; none where there are namespaces. */
    weaker: string[]
  }
  running: number
  /** Sandboxes that stand ready for a job. */
  ready: number
}
