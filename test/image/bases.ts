import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { programs } from './engine.ts'
import type { Engine } from './engine.ts'

const command = promisify(execFile)

/** What `containers/Dockerfile` takes from a registry. */
const PULLED = { BASE: 'python:3.12-slim-trixie', NODE_IMAGE: 'node:24-trixie-slim' }
const PULL_MS = 120_000

/** Names of images that are made here, and kept by an engine that was there before. */
const MADE = { BASE: 'workshop-test-base', NODE_IMAGE: 'workshop-test-node' }

export type Bases = Record<keyof typeof PULLED, string>

/**
 * The images that ours stands on: pulled, or made from the packages of this machine's own Debian and the Node of
 * `npm ci`. Answers why there are none, when it can do neither.
 */
export async function findBases(engine: Engine): Promise<Bases | string> {
  if ((await engine.has(MADE.BASE)) && (await engine.has(MADE.NODE_IMAGE))) return MADE
  if (await pull(engine)) return PULLED
  if (process.getuid?.() !== 0 || (await programs('debootstrap')).length === 0)
    return 'the images it stands on cannot be pulled, and to make them takes root and debootstrap.'
  const folder = await mkdtemp(join(tmpdir(), 'image-'))
  try {
    await makeBase(engine, join(folder, 'base'))
    await makeNode(engine, join(folder, 'node'))
    return MADE
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function pull(engine: Engine): Promise<boolean> {
  for (const image of Object.values(PULLED)) {
    if (await engine.has(image)) continue
    const late = new Promise<boolean>((resolve) => setTimeout(resolve, PULL_MS, false).unref())
    const pulled = engine.docker(['pull', '--quiet', image]).then(
      () => true,
      () => false,
    )
    if (!(await Promise.race([pulled, late]))) return false
  }
  return true
}

/** A Debian with Python, from where this machine has its own packages. */
async function makeBase(engine: Engine, folder: string): Promise<void> {
  const format = '$(SITE) $(CODENAME)'
  const { stdout } = await command('apt-get', ['indextargets', '--format', format, 'Created-By: Packages'])
  const [site = '', suite = ''] = stdout.split('\n')[0]?.split(' ') ?? []
  const include = '--include=python3,ca-certificates'
  await command('debootstrap', ['--variant=minbase', include, suite, folder, site], { maxBuffer: 2 ** 26 })
  await importFolder(engine, folder, MADE.BASE)
}

async function makeNode(engine: Engine, folder: string): Promise<void> {
  await mkdir(join(folder, 'usr/local/bin'), { recursive: true })
  await cp('node_modules/node/bin/node', join(folder, 'usr/local/bin/node'))
  await importFolder(engine, folder, MADE.NODE_IMAGE)
}

async function importFolder(engine: Engine, folder: string, image: string): Promise<void> {
  const tar = `${folder}.tar`
  await command('tar', ['-C', folder, '-cf', tar, '.'])
  await engine.docker(['import', tar, image])
}
