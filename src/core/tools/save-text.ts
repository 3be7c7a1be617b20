import type { ObjectSchema } from '../operation.ts'

/** What `save_tool` says of itself: at most 2,000 characters, so the fields are told in the input schema. */
export const SAVE_DESCRIPTION = `Keeps a tool you built to finish a job, so any AI signed in to this account can find it (find_tool_for_job) and run it (run_tool). Send the whole descriptor, and the tool's code as files ({"main.py": "<the file text>"}, placed in /work) or as bytes_base64 (a gzipped tar unpacked at /, entries under work/ only). Saving runs the sample once where the tool will run and returns sample_check (passed, and what it returned). A refused save stores nothing, lists every problem at once and returns a complete working save in next_call. Saving the same id again makes a new version; code left out keeps the earlier code. It stays visible only to this account. Never put a key or password in it.
Scripts run sealed: Python 3.12, Node 24 and ffmpeg, no network, nothing of an earlier run.
Example: {"descriptor": {"id": "tool:count-words", "job": "Count the words in a text", "input_schema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}, "output_schema": {"type": "object", "properties": {"words": {"type": "integer"}}, "required": ["words"]}, "invoke": {"kind": "container", "argv": ["python3", "main.py", {"from": "text"}], "stdout": "json"}, "placements": ["placement:deployed-container"], "licence_class": "licence:maker-own", "verify": [{"kind": "sample-run", "input": {"text": "one two"}, "output_selector": "$.words", "contains": "2"}]}, "files": {"main.py": "import json, sys\\nprint(json.dumps({\\"words\\": len(sys.argv[1].split())}))"}}`

const DESCRIPTOR = `The tool. id: unique, like "tool:count-words". job: what it does in plain words (10-500 characters), which find_tool_for_job matches. label: short name (optional). input_schema: JSON Schema with "type": "object". output_schema: JSON Schema that every result is checked against. invoke: {"kind": "container", "argv": ["python3", "main.py", {"from": "<input field>"}], "stdin": "none"|"json", "stdout": "json"|"text"}; with "stdout": "json" the last printed line is the result. result_selector: part of the raw result that is the output, like ".result" (optional). placements: ["placement:deployed-container"]. licence_class: "licence:maker-own". verify: at least one {"kind": "sample-run", "input": {…}, "output_selector": "$.field", "contains": "…"}; other kinds run on every task: output-contains, output-contains-input, output-number-within, output-numbers-close. limits: {"seconds": 1-3600, "memory_mb": 64-4096} (optional).`

export const SAVE_INPUT: ObjectSchema = {
  type: 'object',
  properties: {
    descriptor: { type: 'object', description: DESCRIPTOR },
    files: {
      type: 'object',
      description: 'Text files by their path below /work',
      additionalProperties: { type: 'string' },
    },
    bytes_base64: { type: 'string', description: 'Instead of files: a gzipped tar, for binary files' },
  },
  required: ['descriptor'],
  additionalProperties: false,
}
