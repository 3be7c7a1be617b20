import { createServer } from 'node:net'

/** A port of loopback that nothing listens on now. */
export function freePort(): Promise<number> {
  return new Promise((done) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => done(address !== null && typeof address === 'object' ? address.port : 0))
    })
  })
}
