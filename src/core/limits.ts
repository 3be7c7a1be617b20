/** Bounds of what one call, one tool and one run may hold. Bytes unless the name says otherwise. */
export const LIMITS = {
  /** Longest argument of a script (what Linux takes less its closing NUL). */
  argument: 131_071,
  /** Body of one request. */
  call: 4 * 1024 * 1024,
  /** Code of a version, unpacked. */
  code: 20 * 1024 * 1024,
  codeEntries: 2_000,
  /** Whole descriptor as JSON. */
  descriptor: 256 * 1024,
  /** What a web address may answer, and how long it may take. */
  httpAnswer: 1024 * 1024,
  httpSeconds: 30,
  /** Levels of nesting of a schema, an input or an output. */
  depth: 64,
  jobChars: { min: 10, max: 500 },
  labelChars: 60,
  /** How long a model may take, and how many tokens it may answer with. */
  modelSeconds: { default: 60, max: 300 },
  modelTokens: { default: 1_024, max: 8_192 },
  /** One input that is put into a question. */
  modelInputChars: 400_000,
  /** Longest output, in characters of JSON, that a task and an answer hold whole, and how much of another is shown. */
  outputChars: 24_000,
  previewChars: 2_000,
  stdout: 1024 * 1024,
  stderrKept: 64 * 1024,
  /** Tail of stderr shown in a task. */
  stderrShown: 4 * 1024,
  seconds: { min: 1, max: 3_600, default: 30 },
  memoryMb: { min: 64, max: 4_096, default: 1_024 },
  diskMb: 1_024,
  processes: 64,
  requestKeyChars: 255,
  /** One file. */
  upload: 5_000_000_000,
  waitSeconds: 50,
} as const

/** What one account may have and do. A deployment may say otherwise, by one variable each. */
export interface Quotas {
  callsAMinute: number
  tasksAtOnce: number
  tasksWaiting: number
  tools: number
  schedules: number
  fileBytes: number
  containerSecondsADay: number
  modelTokensADay: number
}

/** Calls a minute beyond which `CALL_GUARD` turns an account away; `wrangler.toml` says the same. */
export const GUARDED_CALLS = 1_200

export const QUOTAS: Quotas = {
  callsAMinute: 300,
  tasksAtOnce: 20,
  tasksWaiting: 500,
  tools: 500,
  schedules: 200,
  fileBytes: 10_000_000_000,
  containerSecondsADay: 14_400,
  modelTokensADay: 1_000_000,
}
