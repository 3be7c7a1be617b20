/** Ends a process, if it is still there. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has just ended by itself.
  }
}
