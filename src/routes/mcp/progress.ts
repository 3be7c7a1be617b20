/** How often an app that asked for it hears that a call still waits. */
const EVERY_MS = 5_000

type Notify = (notification: { method: string; params: Record<string, unknown> }) => Promise<void>

/** Does some work, telling the app from time to time how long it has taken, when it gave a token for that. */
export async function withProgress<T>(
  token: string | number | undefined,
  notify: Notify,
  work: () => Promise<T>,
): Promise<T> {
  if (token === undefined) return work()
  let seconds = 0
  const telling = setInterval(() => {
    seconds += EVERY_MS / 1_000
    const params = { progressToken: token, progress: seconds, message: `working for ${seconds} s` }
    // Whoever no longer listens is no reason to stop.
    notify({ method: 'notifications/progress', params }).catch(() => {})
  }, EVERY_MS)
  try {
    return await work()
  } finally {
    clearInterval(telling)
  }
}
