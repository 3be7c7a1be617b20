import { gives, refuses, type StarterCases } from './case.ts'

const manyRows = (count: number) =>
  `id,v\n${Array.from({ length: count }, (_, i) => `${i},${i * 2}`).join('\n')}`

export const TABLES: StarterCases = {
  'csv-to-json': [
    gives({ csv: '' }, { count: 0, columns: [], rows: [] }),
    gives(
      { csv: '\ufeffa\tb\r\n"x\r\ny"\t"say ""hi"""\r\n\r\n' },
      { delimiter: 'tab', rows: [{ a: 'x\r\ny', b: 'say "hi"' }] },
    ),
    gives({ csv: 'a,b\n"1;2;3",4\n' }, { delimiter: 'comma', rows: [{ a: '1;2;3', b: '4' }] }),
    gives(
      { csv: '__proto__,constructor\n1,2', types: true },
      { count: 1, columns: ['__proto__', 'constructor'] },
    ),
    gives(
      { csv: 'n\n007\n1e3\n-0.50\n12345678901234567890\n1e999\nTRUE\nNaN', types: true },
      {
        rows: ['007', 1000, -0.5, '12345678901234567890', '1e999', true, 'NaN'].map((n) => ({ n })),
      },
    ),
    gives(
      { csv: '1|2\n3|4', header: false, types: true },
      {
        columns: [],
        rows: [
          [1, 2],
          [3, 4],
        ],
      },
    ),
    gives(
      { file: 'table.csv' },
      {
        count: 2,
        rows: [
          { name: 'Zoë', age: '7' },
          { name: '😀', age: '' },
        ],
      },
    ),
    refuses({ file: 'latin1.csv' }, 'not UTF-8 at byte 5'),
    refuses({ csv: 'a,b\n1,2\n1' }, 'row 3 has 1 fields, the first row has 2'),
    refuses({ csv: 'a,a\n1,2' }, 'two columns are named "a"'),
    refuses({ csv: 'a,b\n"1,2' }, /line 2 is not CSV: unexpected end/),
    refuses({ csv: 'a', file: 'table.csv' }, 'give one of csv'),
  ],
  'json-to-csv': [
    gives({ rows: [] }, { csv: '', rows: 0, columns: 0 }),
    gives(
      { rows: [{ a: 1.5, b: true, c: null, d: { x: ['é'] } }, { e: 'x\ny' }] },
      {
        csv: 'a,b,c,d,e\n1.5,true,,"{""x"":[""é""]}",\n,,,,"x\ny"\n',
      },
    ),
    gives({ rows: [[1, 'a;b']], columns: ['n', 't'], delimiter: 'semicolon' }, { csv: 'n;t\n1;"a;b"\n' }),
    gives(
      { rows: [{ f: '=HYPERLINK("x")' }, { f: '-5' }, { f: '@a' }], escape_formulas: true },
      {
        csv: 'f\n"\'=HYPERLINK(""x"")"\n-5\n\'@a\n',
      },
    ),
    gives({ rows: [{ a: 1, b: 2 }], columns: ['b', 'z'] }, { csv: 'b,z\n2,\n', columns: 2 }),
    refuses({ rows: [{ a: 1 }, [1]] }, 'all objects or all lists'),
    refuses({ rows: [[1]], columns: ['a', 'b'] }, 'row 1 has 1 values for 2 columns'),
  ],
  'csv-to-markdown': [
    gives({ csv: 'a;b\n1.000,50;x\\y\n' }, { markdown: '| a | b |\n| ---: | --- |\n| 1.000,50 | x\\\\y |' }),
    gives({ csv: 'only' }, { markdown: '| only |\n| --- |', rows: 0 }),
    refuses({ csv: '\n\n' }, 'csv is empty'),
    refuses({ csv: 'a,\n1,2' }, 'column 2 has no name'),
  ],
  'compare-csv': [
    gives({ before: 'a,b\n1,x\n2,y\n', after: 'b,a\ny,2\nx,1\n' }, { is_same: true, unchanged: 2 }),
    gives({ before: 'a\n1\n1\n', after: 'a\n1\n' }, { is_same: false, removed: [{ a: '1' }], unchanged: 1 }),
    gives(
      { before: 'k,l,v\n1,a,x', after: 'k,l,w\n1,a,x', key: ['k', 'l'] },
      {
        is_same: false,
        changed: [],
        unchanged: 1,
        columns_added: ['w'],
        columns_removed: ['v'],
      },
    ),
    gives(
      { before: manyRows(20_000), after: manyRows(20_001), key: ['id'] },
      { unchanged: 20_000, added: [{ id: '20000', v: '40000' }] },
    ),
    refuses({ before: 'a\n1\n1', after: 'a', key: ['a'] }, 'before has two rows with the key ["1"]'),
    refuses({ before: 'a\n1', after: 'b\n1', key: ['a'] }, 'after has no column "a"; it has: b'),
  ],
  'json-select': [
    gives({ value: { a: [{ b: 1 }, { b: null }, {}] }, path: '$.a[*].b' }, { values: [1, null], note: null }),
    gives({ value: [1, 2, 3, 4], path: '$[1:-1]' }, { values: [2, 3] }),
    gives({ value: null, path: '$' }, { count: 1, values: [null] }),
    gives({ value: { 'a.b "c"': 5 }, path: '$["a.b \\"c\\""]' }, { values: [5] }),
    gives({ value: {}, path: '$.constructor.name' }, { count: 0, values: [] }),
    gives({ json: '{"__proto__": {"x": 1}}', path: '$.__proto__.x' }, { values: [1] }),
    gives(
      { json: '{"name": 1}', path: '$.nam' },
      { note: 'step 1 of the path finds nothing: there are the names "name"' },
    ),
    refuses({ json: '{"a": 1', path: '$' }, 'the text is not JSON'),
    refuses({ value: {}, path: '$..a' }, 'not understood from "..a"'),
    refuses({ value: {}, path: '$[?(@.a)]' }, 'not understood'),
    refuses({ path: '$' }, 'give one of json'),
  ],
  statistics: [
    gives(
      { numbers: [5] },
      { mean: 5, median: 5, stdev: null, stdev_population: 0, modes: [], quartiles: [5, 5, 5] },
    ),
    gives({ numbers: [0.1, 0.2, 0.3] }, { sum: 0.6, mean: 0.2, stdev: 0.1 }),
    gives(
      { numbers: [1, 2, 3, 4], percentiles: [0, 10, 100] },
      {
        quartiles: [1.75, 2.5, 3.25],
        percentiles: [
          { percent: 0, value: 1 },
          { percent: 10, value: 1.3 },
          { percent: 100, value: 4 },
        ],
      },
    ),
    gives({ numbers: [1e15, 0.1, -1e15] }, { sum: 0.1 }),
    gives({ numbers: Array.from({ length: 50_000 }, (_, i) => i / 7) }, { count: 50_000, min: 0 }),
    refuses({ numbers: [1e308, 1e308] }, 'too large for a number'),
  ],
}
