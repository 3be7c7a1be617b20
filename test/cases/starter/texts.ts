import { gives, refuses, type StarterCases } from './case.ts'

export const TEXTS: StarterCases = {
  'text-statistics': [
    gives(
      { text: '' },
      { words: 0, characters: 0, sentences: 0, lines: 0, paragraphs: 0, most_frequent: [] },
    ),
    gives({ text: ' \n\n ' }, { words: 0, lines: 3, paragraphs: 0 }),
    gives({ text: "It's 3.14. Or isn't it?\r\nYes…" }, { words: 6, sentences: 3, lines: 2 }),
    gives({ text: '我爱北京。今天 good!' }, { words: 7, sentences: 2, characters: 13 }),
    gives({ text: 'नमस्ते दुनिया 👨‍👩‍👧 don’t' }, { words: 3 }),
    gives(
      { text: 'a A b. "B" a', top: 2 },
      {
        unique_words: 2,
        most_frequent: [
          { word: 'a', count: 3 },
          { word: 'b', count: 2 },
        ],
      },
    ),
    gives({ text: 'word '.repeat(20_000) }, { words: 20_000, reading_minutes: 84, unique_words: 1 }),
  ],
  'diff-texts': [
    gives({ before: 'a\n', after: 'a\n' }, { is_same: true, diff: '', similarity: 1 }),
    gives({ before: '', after: '' }, { is_same: true, diff: '', lines_added: 0 }),
    gives(
      { before: 'a', after: 'a\n' },
      { is_same: false, diff: '--- before\n+++ after\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n' },
    ),
    gives(
      { before: 'x\u2028y\n', after: '' },
      { lines_removed: 1, diff: '--- before\n+++ after\n@@ -1 +0,0 @@\n-x\u2028y\n' },
    ),
  ],
  'regex-extract': [
    gives(
      { text: 'ä1 B22', pattern: '(?P<n>\\d+)(x)?', limit: 1 },
      {
        count: 2,
        is_cut: true,
        matches: [{ text: '1', start: 1, end: 2, groups: ['1', null], named: { n: '1' } }],
      },
    ),
    gives({ text: 'A\nb', pattern: '^.', flags: ['multi_line', 'ignore_case'] }, { count: 2 }),
    gives(
      { text: '', pattern: 'x*' },
      { count: 1, matches: [{ text: '', start: 0, end: 0, groups: [], named: {} }] },
    ),
    refuses({ text: 'a', pattern: '(' }, 'not a Python regular expression: missing )'),
    refuses({ text: 'a', pattern: 'a{1,99999999999}' }, 'not a Python regular expression'),
  ],
  slugify: [
    gives({ text: 'Äpfel & Öl', german: true }, { slug: 'aepfel-and-oel' }),
    gives({ text: 'Їжак і Ёлка — Ελλάδα' }, { slug: 'yizhak-i-yolka-ellada' }),
    gives({ text: '東京 2026 नमस्ते', keep_unicode: true, separator: '_' }, { slug: '東京_2026_नमस्ते' }),
    gives({ text: 'one two three', max_length: 9 }, { slug: 'one-two' }),
    gives({ text: 'abcdefghij', max_length: 4 }, { slug: 'abcd' }),
    gives({ text: '../../etc/passwd\u0000' }, { slug: 'etc-passwd' }),
    refuses({ text: '🎉 东' }, 'with keep_unicode'),
  ],
  'encode-text': [
    gives({ text: 'a b/ü?', encoding: 'url' }, { text: 'a%20b%2F%C3%BC%3F' }),
    gives({ text: '<a href="x">&', encoding: 'html' }, { text: '&lt;a href=&quot;x&quot;&gt;&amp;' }),
    gives({ text: '&eacute;&#x1F600;', encoding: 'html', decode: true }, { text: 'é😀' }),
    gives({ text: '0xC3:BC', encoding: 'hex', decode: true }, { text: 'ü' }),
    gives({ text: 'w7_Dvz8', encoding: 'base64url', decode: true }, { text: 'ÿÿ?' }),
    gives({ text: '', encoding: 'base64' }, { text: '' }),
    refuses({ text: '/w==', encoding: 'base64', decode: true }, 'not UTF-8 text'),
    refuses({ text: 'a*b', encoding: 'base64', decode: true }, 'the text is not base64'),
    refuses({ text: '100%', encoding: 'url', decode: true }, 'the % at character 4'),
    refuses({ text: 'xyz', encoding: 'hex', decode: true }, 'the text is not hex'),
  ],
  hash: [
    gives(
      { text: '' },
      { hex: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', bytes: 0, matches: null },
    ),
    gives(
      { text: 'é', algorithm: 'md5', expected: 'ffff' },
      { hex: '66ddcd97cfdeabb2f6fb8a999b4bc76f', bytes: 2, matches: false },
    ),
    gives({ text: '123456789', algorithm: 'crc32' }, { hex: 'cbf43926' }),
    gives(
      { text: 'abc', algorithm: 'sha3-256' },
      { hex: '3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532' },
    ),
    gives(
      { file: 'latin1.csv', algorithm: 'sha1' },
      { bytes: 7, hex: '4b09ce5b277fa460951b96986e047aa8a4558777' },
    ),
    refuses({}, 'give one of text and file'),
  ],
}
