import { expect, test } from 'vitest'
import { Draft, partsOf } from '../../../../src/core/tools/bundle/draft.ts'

const content = { bytes: Uint8Array.of(1, 2), executable: false }

test('a draft keeps what fits together and words what does not', () => {
  const draft = new Draft((name, message) => ({ path: `<${name}>`, message }))
  for (const path of ['a/b', 'a/b', 'a', 'a/b/c/d', '']) draft.addFile(`/${path}`, path, content)
  for (const path of ['x/y', 'a', 'a/b', '']) draft.addFolder(`/${path}/`, path)
  draft.addFile('x', 'x', content)
  expect({ files: Array.from(draft.files.values()), faults: draft.faults, size: draft.size }).toEqual({
    files: [{ path: 'a/b', ...content }],
    faults: [
      { path: '</a/b>', message: 'is there twice' },
      { path: '</a>', message: 'is a folder too' },
      { path: '</a/b/c/d>', message: 'is below the file "a/b"' },
      { path: '</>', message: 'names no file' },
      { path: '</a/b/>', message: 'is a file too' },
      { path: '<x>', message: 'is a folder too' },
    ],
    size: 12,
  })
})

test.each([
  ['work/main.py', ['work', 'main.py']],
  ['.//work/./a//b', ['work', 'a', 'b']],
  ['/', []],
  ['...', ['...']],
  ['a/..', 'has ".." in its path'],
  ['a\nb', 'has a backslash or a control character in its path'],
  ['\ufffd', 'has a path that is not UTF-8'],
])('the parts of %j', (name, parts) => {
  expect(partsOf(name)).toEqual(parts)
})
