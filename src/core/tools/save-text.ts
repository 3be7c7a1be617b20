import type { ObjectSchema } from '../operation.ts'

/** What `save_tool` says of itself: at most 2,000 characters, so the fields are told in the input schema. */
export const SAVE_DESCRIPTION = `Keeps a tool you built, so any AI signed in to this account can find and run it. Send the whole descriptor, and its code as files ({"main.py": "<text>"}, placed in /work) or bytes_base64. Saving runs the sample once where the tool will run and returns sample_check. A refused save stores nothing, lists every problem and returns a complete working save in next_call. The same id again makes a new version; code left out keeps the earlier code. Only this account sees it until publish_tool. Scripts run sealed: Python 3.12, Node 24, ffmpeg, no network. No keys or passwords in it.
Example: {"descriptor": {"id": "tool:count-words", "job": "Count the words in a text", "input_schema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}, "output_schema": {"type": "object"}, "invoke": {"kind": "container", "argv": ["python3", "main.py", {"from": "text"}], "stdout": "json"}, "placements": ["placement:deployed-container"], "licence_class": "licence:maker-own", "verify": [{"kind": "sample-run", "input": {"text": "one two"}, "output_selector": "$.words", "contains": "2"}]}, "files": {"main.py": "import json, sys\\nprint(json.dumps({\\"words\\": len(sys.argv[1].split())}))"}}`

const DESCRIPTOR = `job (10-500 chars): what it does, which find_tool_for_job matches. label: short name (optional). input_schema, output_schema: JSON Schema; every input and result is checked. invoke: {"from": "<field>"} becomes that input; "stdin": "json" sends the whole input; "stdout": "json" reads the last printed line as JSON, "text" all of it. result_selector: part of it, like ".result.rows" (optional). A file input is {"type": "string", "format": "namespace-file"}: callers send an identity from write_file, the script gets a path. outputs of invoke: [{"name": "clip", "path": "/work/out.mp4", "media_type": "video/mp4"}] are kept as files.clip. verify: a sample-run; also output-contains, output-contains-input, output-number-within, output-numbers-close, which run on every task. limits: {"seconds": 1-3600, "memory_mb": 64-4096} (optional). Without code, a web address that answers JSON: invoke {"kind": "http", "url": "https://api.example.com/v1/{city}", "query": {"q": "{text}"}, "headers": {"Authorization": {"secret_name": "<connection>", "prefix": "Bearer "}}} with placements ["placement:public-web-address"]; "{field}" becomes that input, also in a JSON "body".`

export const SAVE_INPUT: ObjectSchema = {
  type: 'object',
  properties: {
    descriptor: { type: 'object', description: DESCRIPTOR },
    files: {
      type: 'object',
      description: 'Texts by path below /work',
      additionalProperties: { type: 'string' },
    },
    bytes_base64: { type: 'string', description: 'A gzipped tar unpacked at /, entries under work/' },
  },
  required: ['descriptor'],
  additionalProperties: false,
}
