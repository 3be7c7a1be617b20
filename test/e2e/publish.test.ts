import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../support/clients.ts'
import { describeTool, makeSharing, publish, run, save, saying, type Sharing } from '../support/sharing.ts'
import { toolOf } from '../support/suite.ts'

let own: App
let one: App
let two: App
let publicId: Sharing['publicId']
let maker: string
let handleOfTwo: string

beforeAll(async () => {
  ;({ own, one, two, publicId, maker, handleOfTwo } = await makeSharing())
})

describe('a published tool', () => {
  test('is found, read, run and reported by an account that never saw it', async () => {
    const saved = await save(own, saying('greet', 'hello'))
    expect((await publish(own, 'tool:greet')).answer).toMatchObject({
      tool_id: publicId('greet'),
      version: 1,
      hash: saved.hash,
      state: 'published',
      runs_on: ['placement:deployed-container'],
      sample_check: { passed: true, output: { said: 'hello' } },
      next_call: { tool: 'describe_tool', arguments: { tool_id: publicId('greet') } },
    })

    const found = await one.call('find_tool_for_job', {
      job: 'say greet to whoever wants to hear it',
    })
    const candidate = found.answer.candidates.find(
      ({ tool_id }: { tool_id: string }) => tool_id === publicId('greet'),
    )
    expect(candidate).toMatchObject({ version: 1, made_by: maker, sample_state: 'passed' })
    const task = await one.call(candidate.next_call.tool, candidate.next_call.arguments)
    expect(task.answer).toMatchObject({
      state: 'completed',
      tool_id: publicId('greet'),
      version: 1,
      output: { said: 'hello' },
    })

    const shown = await describeTool(one, publicId('greet'))
    expect(shown).toMatchObject({
      tool_id: publicId('greet'),
      hash: saved.hash,
      made_by: maker,
      published_at: expect.stringMatching(/^\d{4}-/),
      sample: { state: 'passed' },
      versions: [{ version: 1, hash: saved.hash, is_published: true }],
    })
    expect(shown.sample.task_id).toBeUndefined()
    expect(shown.files[0]).toMatchObject({ path: 'main.py', text: expect.stringContaining('"hello"') })

    const report = await one.call('report_result', {
      task_id: task.answer.task_id,
      met: true,
      note: 'just right',
    })
    expect(report.answer).toMatchObject({
      reports: [{ met: true, note: 'just right', at: expect.any(String) }],
    })
    const read = await one.call('read_task', { task_id: task.answer.task_id })
    expect(read.answer.reports).toEqual(report.answer.reports)
  })

  test('stays as it was published, whatever its maker saves, until it is published again', async () => {
    const good = await save(own, saying('rug', 'good'))
    await publish(own, 'tool:rug')
    expect((await run(one, publicId('rug'))).output.said).toBe('good')

    const evil = await save(own, saying('rug', 'evil'))
    expect(evil.version).toBe(2)
    expect(await run(one, publicId('rug'))).toMatchObject({
      version: 1,
      output: { said: 'good' },
    })
    expect(await run(one, `${publicId('rug')}@${good.hash}`)).toMatchObject({
      output: { said: 'good' },
    })
    expect((await run(own, 'tool:rug')).output.said).toBe('evil')
    expect((await run(own, publicId('rug'))).output.said).toBe('evil')
    const shown = await describeTool(one, publicId('rug'))
    expect(shown).toMatchObject({ version: 1, hash: good.hash, versions: [{ version: 1 }] })
    expect(JSON.stringify(shown)).not.toContain('evil')
    for (const pin of ['@2', `@${evil.hash}`]) {
      expect((await run(one, publicId('rug') + pin)).error.code).toBe('unknown_tool')
    }

    await publish(own, 'tool:rug')
    expect(await run(one, publicId('rug'))).toMatchObject({
      version: 2,
      output: { said: 'evil' },
    })
    expect(await run(one, `${publicId('rug')}@1`)).toMatchObject({
      version: 1,
      output: { said: 'good' },
    })
    expect((await describeTool(one, publicId('rug'))).versions).toMatchObject([
      { version: 2, is_published: true },
      { version: 1 },
    ])
    const back = await publish(own, publicId('rug'), { version: 1 })
    expect(back.answer).toMatchObject({ state: 'published', version: 1, hash: good.hash })
    expect((await run(one, publicId('rug'))).output.said).toBe('good')
  })
})

describe('nothing is published', () => {
  test('when the sample fails where others will run it', async () => {
    const flaky = toolOf('tool:once', {
      'main.py': `import json, sys, time
args = json.load(sys.stdin)
print(json.dumps({"now": time.time()}) if time.time() < ${Date.now() / 1_000 + 4} else "no")
`,
    })
    await save(own, flaky)
    await sleep(4_500)
    const refused = await publish(own, 'tool:once')
    expect(refused).toMatchObject({
      isError: true,
      answer: { error: { code: 'sample_failed' }, next_call: { tool: 'read_task' } },
    })
    const why = await own.call(refused.answer.next_call.tool, refused.answer.next_call.arguments)
    expect(why.answer).toMatchObject({ state: 'failed', end_reason: 'output_invalid' })
    expect((await run(one, publicId('once'))).error.code).toBe('unknown_tool')
  })

  test('of a version whose sample failed when it was saved; saved again, the sample is tried again', async () => {
    const broken = toolOf('tool:broken', { 'main.py': 'raise SystemExit(1)' })
    const saved = await own.call('save_tool', broken)
    expect(saved.answer.sample_check.passed).toBe(false)
    expect((await publish(own, 'tool:broken')).answer.error).toMatchObject({
      code: 'cannot_publish',
      field: 'descriptor.verify',
    })
    const again = await own.call('save_tool', broken)
    expect(again.answer).toMatchObject({ version: 1, is_unchanged: true, sample_check: { passed: false } })
    expect(again.answer.sample_check.task_id).not.toBe(saved.answer.sample_check.task_id)
  })

  test('with a key in the code, a hidden character, a look-alike name, a price that is not there: all named at once', async () => {
    await save(own, saying('count-colours', 'n'))
    await publish(own, 'tool:count-colours')
    const other = two
    await save(
      other,
      toolOf(
        'tool:c0unt-colours',
        { 'main.py': `KEY = "ghp_${'a1B2'.repeat(9)}"\nprint("{}")`, 'note.txt': 'nothing' },
        { label: 'Count\u200b colours' },
      ),
    )
    const { answer } = await publish(other, 'tool:c0unt-colours', { price_ref: 'price:me/x' })
    expect(answer.error.code).toBe('cannot_publish')
    expect(answer.error.problems.map(({ path }: { path: string }) => path)).toEqual([
      'price_ref',
      'descriptor.label',
      'tool_id',
      'files["main.py"]',
    ])
    expect(JSON.stringify(answer)).not.toContain('ghp_')
    await save(other, saying('cuont-colours', 'n'))
    expect((await publish(other, 'tool:cuont-colours')).answer).toMatchObject({
      state: 'published',
      similar_names: [publicId('count-colours')],
    })
    const shown = await describeTool(own, `tool:${handleOfTwo}/cuont-colours`)
    expect(shown.similar_names).toEqual([publicId('count-colours')])
  })

  test('without the scope, of no tool of one’s own, of no version', async () => {
    for (const tool_id of [publicId('greet'), 'tool:nothing', 'tool:greet@99']) {
      expect((await publish(two, tool_id)).answer.error.code).toBe('unknown_tool')
    }
    expect((await publish(own, 'tool:greet', { version: 99 })).answer.error.code).toBe('unknown_tool')
    expect((await publish(own, 'tool:greet@1', { version: 2 })).answer.error.field).toBe('version')
  })
})
