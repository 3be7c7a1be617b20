import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesBelow, importsOf, read, ROOT } from './files.ts'

const sources = filesBelow('src').filter(
  (path) => /\.tsx?$/.test(path) && path !== 'src/worker-configuration.d.ts',
)

/** Who may import what. A rule holds for the files it matches: none of their imports may match `never`. */
const RULES: { files: RegExp; but?: RegExp; never: RegExp; why: string }[] = [
  { files: /^src\/core\//, never: /^src\/(routes|durable-objects|local)\//, why: 'core tells nobody' },
  {
    files: /^src\/core\//,
    never: /^src\/invokes\/(?!invoke\.ts$)/,
    why: 'core names no invoke: they come in ctx',
  },
  {
    files: /^src\/invokes\//,
    never:
      /^src\/(routes|durable-objects|db|local)\/|^src\/core\/(?!problem\.ts|limits\.ts|strict-json\.ts|json-schema\/path\.ts|net\/|tools\/descriptor\/)/,
    why: 'invokes know what they are lent',
  },
  { files: /^src\/db\//, never: /^src\/(?!db\/)/, why: 'db is the lowest ring' },
  {
    files: /^src\//,
    but: /\/store\.ts$|^src\/db\/|^src\/local\//,
    never: /^drizzle-orm/,
    why: 'only stores query',
  },
  { files: /^src\//, but: /^src\/routes\/|^src\/index\.ts$/, never: /^hono/, why: 'only routes speak HTTP' },
  {
    files: /^src\//,
    but: /^src\/(durable-objects|invokes|routes\/oauth)\/|^src\/(index|compose)\.ts$/,
    never: /^cloudflare:|^@cloudflare\//,
    why: 'the platform has few sockets',
  },
  {
    files: /^src\//,
    but: /^src\/local\/|^src\/core\/accounts\/password\.ts$/,
    never: /^node:|^miniflare$|^wrangler$/,
    why: 'the Worker is no Node program',
  },
  { files: /^containers\//, never: /^src\//, why: 'the image holds the runner alone' },
]

test.each(RULES)('imports: $why', ({ files, but, never }) => {
  const all = [...sources, ...filesBelow('containers').filter((path) => path.endsWith('.ts'))]
  const wrong = all
    .filter((path) => files.test(path) && !but?.test(path))
    .flatMap((path) =>
      importsOf(path)
        .filter((name) => never.test(name))
        .map((name) => `${path} → ${name}`),
    )
  expect(wrong).toEqual([])
})

describe('sizes', () => {
  test('a folder holds at most 12 files', () => {
    const counts = Map.groupBy([...sources, ...filesBelow('containers')], (path) => dirname(path))
    const full = [...counts].filter(([, files]) => files.length > 12).map(([folder]) => folder)
    expect(full).toEqual([])
  })

  test('the platform sees thin shells', () => {
    const shells = sources.filter((path) => path.startsWith('src/durable-objects/'))
    const lines = (path: string) => read(path).trimEnd().split('\n').length
    expect(shells.filter((path) => lines(path) > 120)).toEqual([])
    expect(lines('src/index.ts')).toBeLessThanOrEqual(60)
  })

  test('nothing lies deeper than four folders below src', () => {
    expect(sources.filter((path) => path.split('/').length - 2 > 4)).toEqual([])
  })

  test('the top level holds what it is for and nothing else', () => {
    const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
    const top = new Set(
      tracked.map((path) => path.split('/')[0] ?? '').filter((name) => !name.startsWith('.')),
    )
    expect([...top].toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'containers',
      'migrations',
      'package-lock.json',
      'package.json',
      'src',
      'test',
      'tsconfig.json',
      'wrangler.toml',
    ])
  })

  test('the README is short', () => {
    expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(140)
  })

  test('no name that says nothing', () => {
    const vague = /(^|[/-])(utils?|helpers?|common|manager|base|service)(\.|\/|-)/
    expect(sources.filter((path) => vague.test(path))).toEqual([])
  })
})

describe('twins', () => {
  /** What is told by tests elsewhere: the whole program is driven by end-to-end tests. */
  const DRIVEN: [RegExp, string][] = [
    [/^src\/local\//, 'test/e2e/start.test.ts'],
    [/^src\/(index|compose|env)\.ts$/, 'test/e2e/main-line.test.ts'],
    [/^src\/durable-objects\/account-tasks\.ts$/, 'test/e2e/start.test.ts'],
    // Its image and its class need a container engine; the runner in it is driven by everything else.
    [/^src\/durable-objects\/tool-container\.ts$/, 'test/containers'],
    [/^src\/db\//, 'test/e2e/main-line.test.ts'],
    [/^src\/core\/(operation|operations|context|caller)\.ts$/, 'test/e2e/main-line.test.ts'],
    [/^src\/core\/problem\.ts$/, 'test/routes/mcp.test.ts'],
    [/^src\/core\/limits\.ts$/, 'test/core/tools/descriptor'],
    [/^src\/core\/accounts\/audit\//, 'test/routes/rest/activity.test.ts'],
    [/^src\/core\/accounts\//, 'test/routes/callers.test.ts'],
    [/^src\/core\/quotas\/list\.ts$|^src\/core\/tools\/room\.ts$/, 'test/durable-objects/limits.test.ts'],
    [
      /^src\/core\/tools\/(save|save-text|sample|find|describe|load|store|tool)\.ts$/,
      'test/e2e/main-line.test.ts',
    ],
    [/^src\/core\/tools\/reindex\//, 'test/durable-objects/reindex.test.ts'],
    [/^src\/core\/tools\/described\//, 'test/durable-objects/described.test.ts'],
    [/^src\/core\/tasks\/report\.ts$|^src\/core\/tasks\/evidence\//, 'test/e2e/evidence.test.ts'],
    [/^src\/core\/tasks\/(run|read|list|cancel|submit|answer|port|task)\.ts$/, 'test/e2e/waiting.test.ts'],
    [/^src\/core\/tasks\/(store|row)\.ts$/, 'test/durable-objects/account-tasks.test.ts'],
    [/^src\/core\/tasks\/watch\//, 'test/durable-objects/account-tasks.test.ts'],
    [
      /^src\/core\/tasks\/work\/(drive|fire|look|outbox|outputs|resolve|wheel)\.ts$/,
      'test/durable-objects/account-tasks.test.ts',
    ],
    [/^src\/routes\/mcp\//, 'test/routes/mcp.test.ts'],
    [/^src\/invokes\//, 'test/invokes'],
  ]

  test('every source file has a test beside it, in the mirror folder, or is driven whole', () => {
    const alone = sources.filter((path) => {
      const twin = path.replace(/^src/, 'test').replace(/\.tsx?$/, '.test.ts')
      const folder = dirname(path).replace(/^src/, 'test')
      const driven = DRIVEN.find(([files]) => files.test(path))
      if (existsSync(join(ROOT, twin))) return false
      if (driven) return !existsSync(join(ROOT, driven[1]))
      return !hasTests(folder) && !existsSync(join(ROOT, `${folder}.test.ts`))
    })
    expect(alone).toEqual([])
  })

  /** A folder of more than two steps below test whose suites tell of the whole folder. */
  function hasTests(folder: string): boolean {
    const parts = folder.split('/')
    for (let depth = parts.length; depth > 2; depth -= 1) {
      const path = parts.slice(0, depth).join('/')
      if (
        depth > 2 &&
        existsSync(join(ROOT, path)) &&
        filesBelow(path).some((file) => file.endsWith('.test.ts'))
      ) {
        return path !== 'test/core/tools' && path !== 'test/core/tasks'
      }
    }
    return false
  }
})

describe('migrations', () => {
  const files = filesBelow('migrations').filter((path) => path.endsWith('.sql'))

  test('there are some, and each is in the journal', () => {
    const { entries } = JSON.parse(read('migrations/meta/_journal.json')) as { entries: { tag: string }[] }
    expect(files.map((path) => path.replace(/^migrations\/(.*)\.sql$/, '$1')).sort()).toEqual(
      entries.map(({ tag }) => tag).sort(),
    )
    expect(files.length).toBeGreaterThan(0)
  })

  /** Each of these loses rows or fails when it is applied to the deployed database. */
  test.each([
    ['a rebuilt table, which deletes the rows that point at it', /__new_|drop table/i],
    ['a cascade, which a rebuild sets off', /on (delete|update) (cascade|set)/i],
    ['a trigger, which cannot be applied remotely', /create\s+(temp\w*\s+)?trigger/i],
    ['a pragma, which does nothing inside a transaction', /^\s*pragma/im],
  ])('no migration holds %s', (_what, pattern) => {
    expect(files.filter((path) => pattern.test(read(path)))).toEqual([])
  })
})

test('no code is made from text in the Worker', () => {
  const made = /\beval\(|new Function\(|\bFunction\(/
  expect(sources.filter((path) => made.test(read(path)))).toEqual([])
})
