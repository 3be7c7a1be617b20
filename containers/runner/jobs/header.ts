import type { JobRequest } from '../wire.ts'

/**
 * A job as the sandbox's process 1 reads it (`boot/init.pl`): length in 4 bytes, then parts joined by NUL: `none` or
 * `given` for stdin, the number of variables, each `NAME=value`, the program and its arguments.
 */
export function encodeJob(request: Pick<JobRequest, 'argv' | 'env' | 'stdin'>): Buffer {
  const variables = Object.entries(request.env).map(([name, value]) => `${name}=${value}`)
  const parts = [
    request.stdin === null ? 'none' : 'given',
    String(variables.length),
    ...variables,
    ...request.argv,
  ]
  const body = Buffer.from(parts.join('\0'))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length)
  return Buffer.concat([length, body])
}
