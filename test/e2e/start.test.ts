import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { APPS } from '../support/clients.ts'
import { freePort } from '../support/ports.ts'
import { newKey, toolOf } from '../support/suite.ts'
import { json, Upstream } from '../support/upstream.ts'
import { newAccount, startAndFail, startWorkshop, type Workshop } from '../support/workshop.ts'

const data = mkdtempSync(join(tmpdir(), 'workshop-start-'))
afterAll(() => rmSync(data, { recursive: true, force: true }))

/** A place that the tools of this start may call. */
const UPSTREAM = `127.0.0.1:${await freePort()}`

const SLOW = toolOf('tool:slow', {
  'main.py': 'import time, sys, json\ntime.sleep(json.load(sys.stdin).get("s", 0))\nprint("{}")\n',
})

/** Processes that a start of the folder begat, by the mark in their environment. */
function begotten(): { pid: number; name: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`WORKSHOP_HOST=${data}:`)) return []
        return [{ pid: Number(pid), name: readFileSync(`/proc/${pid}/comm`, 'utf8').trim() }]
      } catch {
        return []
      }
    })
}

async function appOf({ mcpUrl, local }: Workshop) {
  return APPS['v2 stateless'](mcpUrl, local.token)
}

/** Asks until the task has ended, at most two minutes, also while nobody answers. */
async function readToEnd(workshop: Workshop, taskId: string) {
  for (let tries = 0; tries < 60; tries += 1) {
    try {
      const app = await appOf(workshop)
      const { answer } = await app.call('read_task', { task_id: taskId, wait_seconds: 2 })
      await app.close()
      if (answer.ended_at) return answer
    } catch {
      await new Promise((done) => setTimeout(done, 500))
    }
  }
  throw new Error(`${taskId} did not end`)
}

/** A tool that calls a web address. */
const callOf = (url: string) => ({
  descriptor: {
    ...toolOf('tool:call', {}).descriptor,
    input_schema: { type: 'object', properties: { path: { type: 'string' } } },
    invoke: { kind: 'http', url },
    placements: ['placement:public-web-address'],
    verify: [{ kind: 'sample-run', input: { path: 'quick' }, output_selector: '$', contains: '{}' }],
  },
})

async function beginSlow(workshop: Workshop, seconds: number): Promise<string> {
  const app = await appOf(workshop)
  await app.call('save_tool', SLOW)
  const { answer } = await app.call('run_tool', {
    tool_id: 'tool:slow',
    input: { s: seconds },
    request_key: newKey(),
    wait_seconds: 1,
  })
  expect(answer).toMatchObject({ state: 'working' })
  await app.close()
  return answer.task_id
}

describe('the local start', () => {
  let workshop: Workshop

  test('keeps what it printed for programs, for its owner alone', async () => {
    workshop = await startWorkshop({ data, env: { TEST_HTTP_ALLOW: UPSTREAM } })
    expect(workshop.local).toEqual({
      url: `http://localhost:${workshop.port}`,
      mcp_url: `http://localhost:${workshop.port}/mcp`,
      token: expect.stringMatching(/^wks_pat_[0-9a-f]{16}_[0-9a-f]{48}$/),
      handle: 'local',
      pid: workshop.child.pid,
    })
    expect(statSync(join(data, 'local.json')).mode & 0o777).toBe(0o600)
  })

  test('makes further accounts, and says what is wrong with a handle', async () => {
    const made = await newAccount(data, 'second')
    const app = await APPS.v1(workshop.mcpUrl, made.token)
    expect((await app.call('find_tool_for_job', { job: 'count words' })).answer.nothing_fits).toBe(true)
    await expect(newAccount(data, 'second')).rejects.toThrow('is taken')
    await expect(newAccount(data, 'No Handle')).rejects.toThrow('lower-case letters')
  })

  test('says in one line that the folder is in use, or the port', async () => {
    const inUse = await startAndFail({ data, port: await freePort() })
    expect(inUse).toEqual({
      code: 1,
      said: `${data} is in use by process ${workshop.child.pid}. Stop it, or set WORKSHOP_DATA to another folder.\n`,
    })
    const taken = createServer()
    const port = await freePort()
    await new Promise<void>((done) => taken.listen(port, '127.0.0.1', done))
    const other = mkdtempSync(join(tmpdir(), 'workshop-port-'))
    const refused = await startAndFail({ data: other, port })
    expect(refused).toEqual({
      code: 1,
      said: `Port ${port} is taken. Stop what listens there, or set PORT to another one.\n`,
    })
    taken.close()
    rmSync(other, { recursive: true, force: true })
  })

  test('a task survives the death of workerd', async () => {
    const taskId = await beginSlow(workshop, 4)
    const runtime = begotten().filter(({ name }) => name === 'workerd')
    expect(runtime.length).toBeGreaterThan(0)
    for (const { pid } of runtime) process.kill(pid, 'SIGKILL')
    expect(await readToEnd(workshop, taskId)).toMatchObject({ state: 'completed', output: {} })
  }, 120_000)

  test('a call that was under way when workerd died is lost in words, and never made again', async () => {
    const upstream = await Upstream.listen(UPSTREAM, {
      '/quick': (response) => json(response, {}),
      '/slow': () => {},
    })
    const app = await appOf(workshop)
    await app.call('save_tool', callOf(upstream.url('/{path}')))
    const asks = () => upstream.asked.filter(({ url }) => url === '/slow').length
    const begun = { tool_id: 'tool:call', input: { path: 'slow' }, request_key: newKey(), wait_seconds: 0 }
    const { answer } = await app.call('run_tool', begun)
    for (let tries = 0; asks() === 0 && tries < 200; tries += 1)
      await new Promise((done) => setTimeout(done, 50))
    for (const { pid, name } of begotten()) if (name === 'workerd') process.kill(pid, 'SIGKILL')
    expect(await readToEnd(workshop, answer.task_id)).toMatchObject({
      state: 'failed',
      end_reason: 'machine_lost',
      error: { retryable: true, message: expect.stringContaining('may have arrived') },
    })
    expect(asks()).toBe(1)
    await upstream.close()
  }, 120_000)

  test('a task whose machine dies ends, saying so, and the next one runs', async () => {
    const taskId = await beginSlow(workshop, 20)
    const [runner] = begotten().filter(({ pid }) =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('containers/runner/server.ts'),
    )
    process.kill(runner?.pid ?? 0, 'SIGKILL')
    expect(await readToEnd(workshop, taskId)).toMatchObject({
      state: 'failed',
      end_reason: 'machine_lost',
      error: { retryable: true, message: expect.stringContaining('machine') },
    })
    const app = await appOf(workshop)
    const { answer } = await app.call('run_tool', { tool_id: 'tool:slow', input: {}, request_key: newKey() })
    expect(answer).toMatchObject({ state: 'completed' })
  }, 120_000)

  test('a task does not outlive the death of the whole start: it ends, saying what was lost', async () => {
    const taskId = await beginSlow(workshop, 600)
    expect(await workshop.stop('SIGKILL')).toBe(null)
    workshop = await startWorkshop({ data, port: workshop.port })
    expect(workshop.printed).toContain('its token is in')
    expect(await readToEnd(workshop, taskId)).toMatchObject({
      state: 'failed',
      end_reason: 'machine_lost',
      error: { retryable: true, hint: expect.stringContaining('new request_key') },
    })
    const app = await appOf(workshop)
    const { answer } = await app.call('run_tool', { tool_id: 'tool:slow', input: {}, request_key: newKey() })
    expect(answer).toMatchObject({ state: 'completed' })
  }, 180_000)

  test('it stops cleanly and leaves nothing running', async () => {
    expect(await workshop.stop()).toBe(0)
    expect(begotten()).toEqual([])
    expect(existsSync(join(data, 'lock'))).toBe(false)
    expect(() => execFileSync('curl', ['-s', '-m', '2', workshop.url])).toThrow()
  })
})
