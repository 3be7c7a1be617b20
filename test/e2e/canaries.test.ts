import { expect, test } from 'vitest'
import { makeAccount, newKey } from '../support/suite.ts'
import { toolOf } from '../support/tools.ts'

/** Leaves a mark of its own wherever a run can write, and tells of every mark of another that it finds. */
const SCRIPT = `import glob, json, os, subprocess, sys
mark = json.load(sys.stdin).get("mark", "canary-sample")
seen = []
for folder in ("/work", "/tmp", "/dev/shm", os.environ["HOME"], os.environ["TMPDIR"]):
    seen += [p for p in glob.glob(folder + "/**/*canary*", recursive=True)]
seen += [name for name, value in os.environ.items() if "canary" in name + value]
for pid in filter(str.isdigit, os.listdir("/proc")):
    for what in ("cmdline", "environ"):
        try:
            with open(f"/proc/{pid}/{what}", "rb") as file:
                if b"canary" in file.read():
                    seen.append(f"/proc/{pid}/{what}")
        except OSError:
            pass
for folder in ("/work", "/tmp", "/dev/shm"):
    with open(f"{folder}/{mark}", "w") as file:
        file.write(mark)
os.environ["CANARY"] = mark
subprocess.Popen(["sleep", "60"], env={"CANARY": mark}, start_new_session=True)
print(json.dumps({"seen": seen}))
`

test('a hundred runs in turn by two accounts see nothing of each other', async () => {
  const apps = await Promise.all(
    ['one', 'two'].map(async (name) => (await makeAccount(`canary-${name}`)).app()),
  )
  for (const app of apps) {
    const saved = await app.call('save_tool', toolOf('tool:canary', { 'main.py': SCRIPT }))
    expect(saved.answer.sample_check.passed).toBe(true)
  }
  for (let i = 0; i < 100; i += 1) {
    const { answer } = await apps[i % 2]!.call('run_tool', {
      tool_id: 'tool:canary',
      input: { mark: `canary-${i}` },
      request_key: newKey(),
    })
    expect(answer.output).toEqual({ seen: [] })
  }
}, 180_000)
