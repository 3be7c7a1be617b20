import type { Descriptor } from './descriptor/descriptor.ts'

const MAIN = `import json
import sys

text = sys.argv[1]
print(json.dumps({"words": len(text.split())}))
`

const descriptor: Descriptor = {
  id: 'tool:count-words',
  job: 'Count the words in a text',
  label: 'Count words',
  input_schema: {
    type: 'object',
    properties: { text: { type: 'string', description: 'The text whose words are counted' } },
    required: ['text'],
    additionalProperties: false,
  },
  output_schema: {
    type: 'object',
    properties: { words: { type: 'integer', minimum: 0 } },
    required: ['words'],
    additionalProperties: false,
  },
  invoke: {
    kind: 'container',
    argv: ['python3', 'main.py', { from: 'text' }],
    stdin: 'none',
    stdout: 'json',
  },
  result_selector: '.result',
  placements: ['placement:deployed-container'],
  licence_class: 'licence:maker-own',
  verify: [
    {
      kind: 'sample-run',
      input: { text: 'the quick brown fox jumps' },
      output_selector: '$.words',
      contains: '5',
    },
  ],
}

/** A complete working tool, as `save_tool` takes it: what a refused save offers to start from. */
export const EXAMPLE: { descriptor: Descriptor; files: Record<string, string> } = {
  descriptor,
  files: { 'main.py': MAIN },
}
