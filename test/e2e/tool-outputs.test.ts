import { beforeAll, describe, expect, test } from 'vitest'
import { download, identityOf } from '../support/clips.ts'
import type { App } from '../support/clients.ts'
import { makeAccount, newKey, toolOf } from '../support/suite.ts'

let app: App
beforeAll(async () => {
  app = await (await makeAccount('toolouts')).app()
})

async function run(tool_id: string, input: Record<string, unknown>) {
  const { answer } = await app.call('run_tool', { tool_id, input, request_key: newKey(), wait_seconds: 50 })
  return answer
}

describe('what a tool makes', () => {
  const MAKER = toolOf(
    'tool:maker',
    {
      'main.py': `import json, os, sys, threading, time
what = json.load(sys.stdin).get("make", "file")
if what == "file": open("/work/out.bin", "wb").write(b"made")
if what == "empty": open("/work/out.bin", "wb")
if what == "folder": os.mkdir("/work/out.bin")
if what == "link": os.symlink("/etc/passwd", "/work/out.bin")
if what == "dangling": os.symlink("/nowhere", "/work/out.bin")
if what == "fifo": os.mkfifo("/work/out.bin")
if what == "socket":
    import socket
    socket.socket(socket.AF_UNIX).bind("/work/out.bin")
if what == "fails":
    open("/work/out.bin", "wb").write(b"made")
    sys.exit(3)
print("{}")
`,
    },
    {
      invoke: {
        kind: 'container',
        argv: ['python3', 'main.py'],
        stdin: 'json',
        stdout: 'json',
        outputs: [{ name: 'out', path: '/work/out.bin', media_type: 'application/octet-stream' }],
      },
    },
  )

  beforeAll(async () => {
    expect((await app.call('save_tool', MAKER)).answer.sample_check).toMatchObject({ passed: true })
  })

  test.each([
    ['nothing', 'output_invalid', 'The output "out" was not made: there is no file /work/out.bin.'],
    ['folder', 'output_invalid', 'The output "out" is a folder at /work/out.bin.'],
    ['link', 'output_invalid', 'The output "out" is a symbolic link or lies below one at /work/out.bin.'],
    ['dangling', 'output_invalid', 'The output "out" is a symbolic link or lies below one at /work/out.bin.'],
    ['fifo', 'output_invalid', 'The output "out" is no plain file at /work/out.bin.'],
    ['socket', 'output_invalid', 'The output "out" is no plain file at /work/out.bin.'],
    ['fails', 'tool_failed', 'The script ended with exit code 3.'],
  ])('%s: the task fails and says why', async (make, reason, message) => {
    const began = performance.now()
    const task = await run('tool:maker', { make })
    expect(performance.now() - began).toBeLessThan(30_000)
    expect(task).toMatchObject({ state: 'failed', end_reason: reason, error: { message } })
    expect(task.files).toBeUndefined()
    expect(JSON.stringify(task)).not.toContain('root:')
    expect((await app.call('list_files', { folder: `outputs/${task.task_id}` })).answer.files).toEqual([])
  })

  test.each(['file', 'empty'])('%s: is kept', async (make) => {
    const task = await run('tool:maker', { make })
    const data = Buffer.from(make === 'file' ? 'made' : '')
    expect(task.files.out).toEqual({
      identity: identityOf(data),
      path: `outputs/${task.task_id}/out.bin`,
      size: data.length,
      media_type: 'application/octet-stream',
    })
    expect(await download(app, task.files.out.identity)).toEqual(data)
  })

  test.each(['/work/../etc/passwd', '/etc/hostname', '-rf', 'relative.mp4', '/work/', '/work/a/../b'])(
    'an output at %j is refused when it is saved',
    async (path) => {
      const { descriptor, files } = MAKER
      const invoke = {
        ...(descriptor as unknown as { invoke: object }).invoke,
        outputs: [{ name: 'out', path, media_type: 'text/plain' }],
      }
      const { answer } = await app.call('save_tool', { descriptor: { ...descriptor, invoke }, files })
      expect(answer.error.problems.map((fault: { path: string }) => fault.path)).toEqual([
        'descriptor.invoke.outputs[0].path',
      ])
    },
  )
})
