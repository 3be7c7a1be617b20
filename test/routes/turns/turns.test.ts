import { expect, test } from 'vitest'
import { Turns, type Rules } from '../../../src/routes/turns/turns.ts'

/** Time that passes when it is told to. */
class Clock {
  now = 0
  #timers: { at: number; ring: () => void }[] = []

  readonly sleep = (ms: number) =>
    new Promise<void>((ring) => void this.#timers.push({ at: this.now + ms, ring }))

  /** Lets so much time pass, and all that follows from it happen. */
  async pass(ms: number): Promise<void> {
    const until = this.now + ms
    for (;;) {
      await settled()
      this.#timers.sort((one, other) => one.at - other.at)
      const [next] = this.#timers
      if (!next || next.at > until) break
      this.#timers.shift()
      this.now = next.at
      next.ring()
    }
    this.now = until
  }
}

const settled = () => new Promise((done) => setTimeout(done, 0))

/** A clock, and calls that are at work for so long; `log` tells in which order they began. */
function scene(rules: Partial<Rules> = {}) {
  const clock = new Clock()
  const { sleep } = clock
  const turns = new Turns({ places: 1, line: 100, longestMs: 250, now: () => clock.now, sleep, ...rules })
  const log: string[] = []
  const scene = { clock, turns, log, atWork: 0, most: 0 }
  const call = async (caller: string, ms: number) => {
    const turn = await turns.take(caller)
    if (!turn) return 'refused'
    log.push(caller)
    scene.most = Math.max(scene.most, (scene.atWork += 1))
    await sleep(ms)
    scene.atWork -= 1
    turn.pass()
    return 'done'
  }
  return { ...scene, call, most: () => scene.most }
}

test('calls of one caller are worked on as they came, so many at once', async () => {
  const { clock, call, most } = scene({ places: 3 })
  const calls = Promise.all(Array.from({ length: 20 }, () => call('noisy', 10)))
  await clock.pass(200)
  expect(await calls).toEqual(Array(20).fill('done'))
  expect(most()).toBe(3)
})

test('another caller comes next, however many of one wait, and as often as it comes', async () => {
  const { clock, log, call } = scene()
  for (let i = 0; i < 50; i += 1) void call('noisy', 10)
  for (let i = 0; i < 4; i += 1) {
    await clock.pass(25)
    const before = log.length
    void call('quiet', 10)
    await clock.pass(25)
    expect(log.slice(before)[0]).toBe('quiet')
  }
})

test('callers who all have many waiting take turns', async () => {
  const { clock, log, call } = scene()
  for (const caller of ['a', 'b', 'c']) for (let i = 0; i < 30; i += 1) void call(caller, 10)
  await clock.pass(600)
  // The very first one came when nobody else was there.
  for (let i = 1; i < 28; i += 1) expect(new Set(log.slice(i, i + 3)).size, log.join('')).toBe(3)
})

test('with several places no caller has all of them for itself while another waits', async () => {
  const { clock, log, call } = scene({ places: 4 })
  for (let i = 0; i < 40; i += 1) void call('noisy', 100)
  await clock.pass(10)
  for (let i = 0; i < 10; i += 1) void call('other', 100)
  await clock.pass(105)
  const [first, ...rest] = log.slice(4, 8)
  expect([first, rest.toSorted()]).toEqual(['other', ['noisy', 'noisy', 'other']])
})

test('who came in time for a free place is chosen before who waited longer and has had its turn', async () => {
  const { clock, log, call } = scene()
  void call('noisy', 10)
  void call('noisy', 10)
  void call('noisy', 10)
  await clock.pass(21.5)
  void call('quiet', 10)
  await clock.pass(60)
  expect(log).toEqual(['noisy', 'noisy', 'quiet', 'noisy'])
})

test('a turn that nobody passes on ends by itself, and passing it on late does no harm', async () => {
  const { clock, turns, call } = scene()
  const lost = await turns.take('gone')
  const later = call('noisy', 10)
  await clock.pass(249)
  expect(await Promise.race([later, settled().then(() => 'waits')])).toBe('waits')
  await clock.pass(270)
  expect(await later).toBe('done')
  const held = await turns.take('noisy')
  lost?.pass()
  const next = call('other', 10)
  await clock.pass(50)
  expect(await Promise.race([next, settled().then(() => 'waits')])).toBe('waits')
  held?.pass()
  await clock.pass(50)
  expect(await next).toBe('done')
})

test('a turn may be passed on twice', async () => {
  const { clock, turns, call, most } = scene()
  const turn = await turns.take('a')
  turn?.pass()
  turn?.pass()
  const calls = Promise.all([call('b', 10), call('b', 10), call('b', 10)])
  await clock.pass(100)
  expect(await calls).toEqual(['done', 'done', 'done'])
  expect(most()).toBe(1)
})

test('too many of one caller are turned away, and nobody else', async () => {
  const { clock, call } = scene({ line: 3 })
  const noisy = Promise.all(Array.from({ length: 6 }, () => call('noisy', 10)))
  const quiet = call('quiet', 10)
  await clock.pass(200)
  expect(await noisy).toEqual(['done', 'done', 'done', 'done', 'refused', 'refused'])
  expect(await quiet).toBe('done')
})

test('half way a turn is yielded to one who has had none, and to nobody else', async () => {
  const { clock, turns, log, call } = scene()
  const inHalves = async (caller: string) => {
    const turn = await turns.take(caller)
    log.push(`${caller} begins`)
    await clock.sleep(10)
    await turn?.yield()
    log.push(`${caller} goes on`)
    await clock.sleep(10)
    turn?.pass()
  }
  const noisy = Promise.all([inHalves('noisy'), inHalves('noisy')])
  await clock.pass(5)
  const quiet = call('quiet', 10)
  await clock.pass(100)
  await Promise.all([noisy, quiet])
  expect(log).toEqual(['noisy begins', 'quiet', 'noisy goes on', 'noisy begins', 'noisy goes on'])
})

test('a call that ends while it yields leaves no turn behind', async () => {
  const { clock, turns, call, log } = scene()
  const turn = await turns.take('a')
  void call('a', 10)
  void call('b', 10)
  const yielding = turn?.yield()
  await clock.pass(1)
  turn?.pass()
  await clock.pass(100)
  await yielding
  const next = call('c', 10)
  await clock.pass(15)
  await next
  expect(log).toEqual(['b', 'a', 'c'])
})

test('beside a turn that is lent one goes on who has had none, and nobody else', async () => {
  const { clock, turns, log, call } = scene()
  const lent = await turns.take('noisy')
  void call('noisy', 10)
  void call('quiet', 10)
  lent?.lend()
  await clock.pass(100)
  expect(log).toEqual(['quiet'])
  lent?.pass()
  await clock.pass(100)
  expect(log).toEqual(['quiet', 'noisy'])
})

/** How many calls of one with 50 of them at once are begun within a second. */
async function begunBeside(
  others: (call: ReturnType<typeof scene>['call'], clock: Clock) => Promise<unknown>,
) {
  const { clock, log, call } = scene()
  for (let i = 0; i < 50; i += 1) void call('noisy', 10)
  await others(call, clock)
  await clock.pass(1_000 - clock.now)
  return log.filter((caller) => caller === 'noisy').length
}

test('one with many calls rests between them while somebody is about who calls now and then', async () => {
  const beside = await begunBeside(async (call, clock) => {
    for (let i = 0; i < 4; i += 1) {
      void call('quiet', 10)
      await clock.pass(200)
    }
  })
  expect(beside).toBeLessThan(20)
  expect(beside).toBeGreaterThan(10)
})

test('who makes a few calls at once does not rest', async () => {
  const { clock, log, call } = scene()
  void call('quiet', 10)
  for (let i = 0; i < 5; i += 1) void call('some', 10)
  await clock.pass(70)
  expect(log).toEqual(['quiet', ...Array(5).fill('some')])
})

test('nobody rests while alone, nor beside those who have many calls too', async () => {
  expect(await begunBeside(async () => undefined)).toBe(50)
  const other = async (call: ReturnType<typeof scene>['call']) => {
    for (let i = 0; i < 50; i += 1) void call('other', 10)
  }
  // A turn takes 10 ms and the pause before it 1 ms: two who never rest have 45 each in a second.
  expect(await begunBeside(other)).toBeGreaterThan(43)
})

test('the rest is over soon after the other has gone', async () => {
  const { clock, log, call } = scene()
  void call('quiet', 10)
  for (let i = 0; i < 50; i += 1) void call('noisy', 10)
  await clock.pass(1_100)
  const before = log.length
  await clock.pass(250)
  expect(log.length - before).toBeGreaterThan(20)
})
