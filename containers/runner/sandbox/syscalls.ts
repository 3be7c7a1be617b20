import { endianness } from 'node:os'

/** What differs between processors: the kernel's name for it, and the numbers of its older system calls. */
const PROCESSORS: Record<string, { audit: number; denied: number[] }> = {
  // add_key, request_key, keyctl, perf_event_open, bpf, userfaultfd
  x64: { audit: 0xc000003e, denied: [248, 249, 250, 298, 321, 323] },
  arm64: { audit: 0xc00000b7, denied: [217, 218, 219, 241, 280, 282] },
}

/** io_uring_setup, io_uring_enter, io_uring_register: the same everywhere. */
const IO_URING = [425, 426, 427]

/** x86 programs of the x32 kind call with this bit set. */
const X32 = 0x40000000

const LOAD = 0x20
const IF_EQUAL = 0x15
const IF_AT_LEAST = 0x35
const RETURN = 0x06
const ALLOW = 0x7fff0000
/** "No such system call": programs then do without, as on an older kernel. */
const ABSENT = 0x00050000 + 38

/**
 * A seccomp filter, as bubblewrap reads it: takes away kernel key rings, which outlive a run and are shared with the
 * runner, and calls that no tool needs and that attacks on kernels begin with. Null for an unknown processor.
 */
export function syscallFilter(): Buffer | null {
  const processor = PROCESSORS[process.arch]
  if (!processor || endianness() !== 'LE') return null
  const denied = [...processor.denied, ...IO_URING]
  const tests = [
    step(IF_AT_LEAST, X32, [denied.length + 1, 0]),
    ...denied.map((number, index) => step(IF_EQUAL, number, [denied.length - index, 0])),
  ]
  return Buffer.concat([
    step(LOAD, 4), // the kind of processor that the call is made for
    step(IF_EQUAL, processor.audit, [1, 0]),
    step(RETURN, ABSENT),
    step(LOAD, 0), // the number of the call
    ...tests,
    step(RETURN, ALLOW),
    step(RETURN, ABSENT),
  ])
}

/** One instruction; `jump`: how many to skip when the test holds, and when it does not. */
function step(code: number, value: number, jump: [number, number] = [0, 0]): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.set(jump, 2)
  bytes.writeUInt32LE(value, 4)
  return bytes
}
