/** What a run without namespaces is promised less than one with them. */
export const WEAKER = [
  'Programs find /work and /tmp under other paths: by the working directory, HOME and TMPDIR.',
  'Nor is there /inputs: the paths of files to read are put right in arguments, variables and stdin.',
  'There is no /dev/shm, so no semaphores or memory shared by name (Python: multiprocessing locks, queues and pools).',
  'There are no sockets but connected pairs, not even to the program itself.',
  'That a process number is in use can be seen; of other processes nothing can be read and none can be signalled.',
  'Programs that a program starts cannot read /proc/self.',
  'The disk limit holds for each file, not for all of them together.',
  'Memory is watched 20 times a second, not limited by the kernel.',
]
