import { endianness } from 'node:os'

/** What differs between processors: the kernel's name for it, and numbers of system calls. */
interface Processor {
  audit: number
  /** add_key, request_key, keyctl, perf_event_open, bpf, userfaultfd, unshare, setns */
  denied: number[]
  /** shmget, shmat, semget, msgget, mq_open: what namespaces would keep apart. */
  shared: number[]
  clone: number
  socket: number
}

const PROCESSORS: Record<string, Processor> = {
  x64: {
    audit: 0xc000003e,
    denied: [248, 249, 250, 298, 321, 323, 272, 308],
    shared: [29, 30, 64, 68, 240],
    clone: 56,
    socket: 41,
  },
  arm64: {
    audit: 0xc00000b7,
    denied: [217, 218, 219, 241, 280, 282, 97, 268],
    shared: [194, 196, 190, 186, 180],
    clone: 220,
    socket: 198,
  },
}

/** io_uring_setup, io_uring_enter, io_uring_register and clone3 (C libraries then use clone): the same everywhere. */
const DENIED_EVERYWHERE = [425, 426, 427, 435]

/** A flag of clone. */
const CLONE_NEWUSER = 0x10000000

/** x86 programs of the x32 kind call with this bit set. */
const X32 = 0x40000000

/** Where the kind of processor, the call's number and its first argument stand. */
const [AT_PROCESSOR, AT_NUMBER, AT_ARGUMENT] = [4, 0, 16]

const LOAD = 0x20
const IF_EQUAL = 0x15
const IF_AT_LEAST = 0x35
const IF_ANY_BIT = 0x45
const RETURN = 0x06
const ALLOW = 0x7fff0000
/** "No such system call": programs then do without, as on an older kernel. */
const ABSENT = 0x00050000 + 38
/** "Permission denied", as a network would be that lets nobody in. */
const REFUSED = 0x00050000 + 13

/**
 * A seccomp filter, as bubblewrap reads it: takes away kernel key rings, which outlive a run and are shared with the
 * runner, namespaces, and calls that no tool needs and that attacks on kernels begin with. Null for an unknown
 * processor. Where there are no namespaces it also takes sockets (a pair that is connected to itself is left) and the
 * memory, queues and semaphores that all processes of a machine share.
 */
export function syscallFilter(hasNamespaces: boolean): Buffer | null {
  const processor = PROCESSORS[process.arch]
  if (!processor || endianness() !== 'LE') return null
  const shared = hasNamespaces ? [] : processor.shared
  const denied = [...processor.denied, ...DENIED_EVERYWHERE, ...shared]
  const sockets = hasNamespaces ? [] : [step(IF_EQUAL, processor.socket, [0, 1]), step(RETURN, REFUSED)]
  return Buffer.concat([
    step(LOAD, AT_PROCESSOR),
    step(IF_EQUAL, processor.audit, [1, 0]),
    step(RETURN, ABSENT),
    step(LOAD, AT_NUMBER),
    step(IF_AT_LEAST, X32, [denied.length + sockets.length + 4, 0]),
    ...sockets,
    ...denied.map((number, index) => step(IF_EQUAL, number, [denied.length - index + 3, 0])),
    step(IF_EQUAL, processor.clone, [0, 2]),
    step(LOAD, AT_ARGUMENT),
    step(IF_ANY_BIT, CLONE_NEWUSER, [1, 0]),
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
