import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, Runner, sha256, type Wanted } from './runner.ts'

const MB = 2 ** 20

let runner: Runner
beforeAll(async () => {
  runner = await Runner.start({ RUNNER_POOL: '1', RUNNER_INPUT_MB: '3', RUNNER_OUTPUT_MB: '4' })
})
afterAll(() => runner.stop())

async function put(data: Uint8Array, hash = sha256(data)) {
  return (await runner.call('PUT', `/inputs/${hash}`, data)).status
}
const has = async (data: Uint8Array) => (await runner.call('HEAD', `/inputs/${sha256(data)}`)).status === 204

const sh = (script: string, wanted: Wanted = {}) => runner.run({ argv: ['sh', '-c', script], ...wanted })
const outputOf = (path: string, name = 'out') => ({ name, path, media_type: 'text/plain' })

async function fetchOutput(id: string, name = 'out'): Promise<Response> {
  return fetch(`${runner.url}/jobs/${id}/outputs/${name}`, {
    headers: { authorization: 'Bearer the-secret-of-the-test' },
  })
}

describe('inputs', () => {
  test.each(['plain.txt', '-it\'s "odd" $HOME %d: é.txt', 'new\nline', '要求🧪'])(
    '%j is read at its path',
    async (name) => {
      const data = Buffer.from(`data of ${name}`)
      expect(await has(data)).toBe(false)
      const inputs = [{ sha256: sha256(data), name }]
      const job = runner.request({ argv: ['true'], inputs })
      expect((await runner.call('POST', '/jobs', job)).body.error?.code).toBe('input_missing')
      expect(await put(data)).toBe(204)
      expect(await has(data)).toBe(true)
      const path = `/inputs/${sha256(data)}/${name}`
      expect(await runner.run({ argv: ['cat', path], inputs })).toMatchObject({
        exit_code: 0,
        stdout: `data of ${name}`,
      })
      const end = await runner.run({
        argv: ['sh', '-c', 'echo x >> "$1"; rm -f "$1"; chmod 777 "$1"; cat "$1"', 'sh', path],
        inputs,
      })
      expect(end.stdout).toBe(`data of ${name}`)
    },
  )

  test('are seen by the job that names them alone', async () => {
    const [mine, other] = [Buffer.from('mine'), Buffer.from('of another')]
    await put(mine)
    await put(other)
    const end = await sh(
      'ls /inputs; ls /run 2>&1; find / -name "*" -size 10c 2>/dev/null | xargs cat 2>/dev/null',
      {
        inputs: [{ sha256: sha256(mine), name: 'mine' }],
      },
    )
    expect(end.stdout).toContain(sha256(mine))
    expect(end.stdout).not.toContain(sha256(other))
    expect(end.stdout).not.toContain('of another')
    expect((await sh('ls /inputs')).exit_code).toBe(2)
  })

  test('of another hash, or cut, or too large leave nothing', async () => {
    const data = Buffer.from('whole')
    expect(await put(data, sha256('other'))).toBe(422)
    expect(await put(Buffer.alloc(3 * MB + 1))).toBe(413)
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(data)
        controller.error(new Error('cut'))
      },
    })
    const headers = { authorization: 'Bearer the-secret-of-the-test' }
    const url = `${runner.url}/inputs/${sha256(data)}`
    const cut = fetch(url, { method: 'PUT', headers, body, duplex: 'half' } as RequestInit)
    await expect(cut).rejects.toThrow(/fetch failed|cut/)
    expect(await has(data)).toBe(false)
    expect(readdirSync(join(runner.data, 'inputs')).filter((name) => name.includes('.'))).toEqual([])
  })

  test('used longest ago are dropped for others, but never under a job', async () => {
    const held = Buffer.alloc(MB, 1)
    await put(held)
    const name = 'held'
    const inputs = [{ sha256: sha256(held), name }]
    const running = sh(`sleep 1; wc -c < /inputs/${sha256(held)}/${name}`, { inputs })
    const others = [2, 3, 4, 5].map((byte) => Buffer.alloc(MB, byte))
    for (const other of others) expect(await put(other)).toBe(204)
    expect(await Promise.all(others.map(has))).toEqual([false, false, true, true])
    expect((await running).stdout.trim()).toBe(String(MB))
  })

  test('need the secret and a plain name', async () => {
    const { status } = await ask(`${runner.url}/inputs/${sha256('')}`, { method: 'PUT', secret: 'wrong' })
    expect(status).toBe(401)
    for (const name of ['', '.', '..', 'a/b', 'a\0b', 'x'.repeat(256)]) {
      const job = runner.request({ inputs: [{ sha256: sha256(''), name }] })
      expect((await runner.call('POST', '/jobs', job)).status).toBe(400)
    }
  })
})

describe('outputs', () => {
  test('are kept after the end, with their size and hash, until the job is dropped', async () => {
    const request = runner.request({
      argv: ['sh', '-c', 'mkdir a; printf made > a/-out; printf "" > empty'],
      outputs: [outputOf('/work/a/-out'), outputOf('/work/empty', 'empty')],
    })
    const { body } = await runner.call('POST', '/jobs?wait_ms=20000', request)
    expect(body['end']).toMatchObject({
      exit_code: 0,
      outputs: [
        { ...outputOf('/work/a/-out'), size: 4, sha256: sha256('made') },
        { ...outputOf('/work/empty', 'empty'), size: 0, sha256: sha256('') },
      ],
    })
    for (const _ of [1, 2]) expect(await (await fetchOutput(request.id)).text()).toBe('made')
    expect((await fetchOutput(request.id, 'other')).status).toBe(404)
    await runner.call('DELETE', `/jobs/${request.id}`)
    expect((await fetchOutput(request.id)).status).toBe(404)
    expect(readdirSync(join(runner.data, 'outputs'))).toEqual([])
  })

  test.each([
    ['true', 'missing'],
    ['mkdir out', 'folder'],
    ['ln -s /etc/passwd out', 'link'],
    ['ln -s /nowhere out', 'link'],
    ['mkfifo out', 'special'],
    ['head -c 5000000 /dev/zero > out', 'too_large'],
  ])('%s: %s', async (script, fault) => {
    const { outputs } = await sh(script, { outputs: [outputOf('/work/out')] })
    expect(outputs).toEqual([{ ...outputOf('/work/out'), fault }])
  })

  test('below a link or a file are none', async () => {
    const below = { outputs: [outputOf('/work/a/passwd')] }
    expect((await sh('ln -s /etc a', below)).outputs).toMatchObject([{ fault: 'link' }])
    expect((await sh('touch a', below)).outputs).toMatchObject([{ fault: 'missing' }])
  })

  test('of a program that failed are not taken', async () => {
    const end = await sh('echo made > out; exit 3', { outputs: [outputOf('/work/out')] })
    expect(end.outputs).toBeUndefined()
  })

  test('are not changed by what the program left running', async () => {
    const script =
      'printf first > out; (setsid sh -c "while true; do printf later > /work/out; done" &) ; sleep 0.3'
    const request = runner.request({ argv: ['sh', '-c', script], outputs: [outputOf('/work/out')] })
    const { body } = await runner.call('POST', '/jobs?wait_ms=20000', request)
    const [output] = (body['end'] as { outputs: { sha256: string }[] }).outputs
    expect(sha256(await (await fetchOutput(request.id)).text())).toBe(output?.sha256)
  })

  test.each(['relative', '/etc/passwd', '/work', '/work/', '/work/../etc/passwd', '/work/a//b'])(
    'at %s are refused',
    async (path) => {
      const job = runner.request({ outputs: [outputOf(path)] })
      expect((await runner.call('POST', '/jobs', job)).status).toBe(400)
    },
  )
})
