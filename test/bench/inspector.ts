/** Developer tools' view of our Worker's own isolate; local storage lives in others of the same process. */
export interface Inspector {
  // oxlint-disable-next-line typescript/no-explicit-any -- one shape a method
  ask(method: string, params?: Record<string, unknown>): Promise<any>
  /** Bytes that the isolate's objects and buffers hold now, in MB, what could be collected included. */
  heldMb(): Promise<number>
  close(): void
}

/** `port` is what the start was given as INSPECTOR_PORT. */
export async function inspectWorker(port: number): Promise<Inspector> {
  const listed = await fetch(`http://127.0.0.1:${port}/json`)
  const targets = await listed.json<{ id: string; webSocketDebuggerUrl: string }[]>()
  const ours = targets.find(({ id }) => id === 'core:user:workshop')
  if (!ours) throw new Error('the Worker cannot be inspected')
  const socket = new WebSocket(ours.webSocketDebuggerUrl)
  await new Promise((done, fail) => Object.assign(socket, { onopen: done, onerror: fail }))
  const waiting = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown }
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  let asked = 0
  const ask: Inspector['ask'] = (method, params = {}) => {
    asked += 1
    socket.send(JSON.stringify({ id: asked, method, params }))
    return new Promise((done) => waiting.set(asked, done))
  }
  return {
    ask,
    async heldMb() {
      const { usedSize, backingStorageSize } = await ask('Runtime.getHeapUsage')
      return (Number(usedSize) + Number(backingStorageSize)) / 2 ** 20
    },
    close: () => socket.close(),
  }
}
