/** A container tool in as few words as it takes; what is given replaces what is here. */
export function toolOf(id: string, files: Record<string, string>, given: Record<string, unknown> = {}) {
  const [main = 'main.py'] = Object.keys(files)
  return {
    descriptor: {
      id,
      job: `Do what the test tool ${id} does`,
      input_schema: { type: 'object' },
      output_schema: true,
      invoke: {
        kind: 'container',
        argv: [main.endsWith('.py') ? 'python3' : 'node', main],
        stdin: 'json',
        stdout: 'json',
      },
      placements: ['placement:deployed-container'],
      licence_class: 'licence:maker-own',
      verify: [{ kind: 'sample-run', input: {}, output_selector: '$', contains: '{' }],
      ...given,
    },
    files,
  }
}

/** Sleeps for `s` seconds and gives its input back. */
export const ECHO = toolOf('tool:echo', {
  'main.py': `import json, sys, time
args = json.load(sys.stdin)
time.sleep(args.get("s", 0))
print(json.dumps({"got": args}))
`,
})
