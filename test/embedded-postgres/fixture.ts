// Shared by the tests of the embedded database: a temporary folder in which this process or others
// open databases. No process or file is left behind.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  type EmbeddedDatabase,
  findRunningEmbedded,
  openEmbedded,
} from '../../src/embedded-postgres/open-embedded.ts'
import { findPackage, prepareBinaries } from '../../src/embedded-postgres/prepare-binaries.ts'
import { prepareHome } from '../../src/embedded-postgres/prepare-home.ts'
import { chooseServerUser } from '../../src/embedded-postgres/server-user.ts'
import type { ServerStartOptions } from '../../src/embedded-postgres/start-server.ts'
import { canReach } from '../../src/embedded-postgres/system-users.ts'
import { copyUsedData } from '../cli/used-data-folder.ts'

export const isRoot = process.getuid?.() === 0

/** The overflow user on Linux; tests that run as root use it as the ordinary user. */
export const ordinary = { uid: 65534, gid: 65534 }

const repository = join(import.meta.dirname, '..', '..')

/** Why a test cannot run a program as an ordinary user here, or false. */
export const noOrdinary =
  isRoot &&
  !((await canReach(process.execPath, ordinary)) && (await canReach(repository, ordinary)))
    ? 'an ordinary user cannot reach Node or the project here'
    : false

export interface Owner {
  child: ChildProcess
  /** The database, or the error. */
  report: Partial<EmbeddedDatabase> & { pid?: number; error?: string; name?: string }
  /** Kills the process, so that its database is orphaned. */
  crash(): Promise<void>
  stop(): Promise<void>
}

export interface EmbeddedFixture {
  path: string
  /** Run in reverse order when the test ends. */
  cleanups: (() => unknown)[]
  open(name: string, warn?: (message: string) => void): Promise<EmbeddedDatabase>
  own(name: string, options?: OwnerOptions): Promise<Owner>
  /** Start options of a database that was opened here before. */
  starting(name: string): Promise<ServerStartOptions>
}

interface OwnerOptions {
  project?: string
  user?: { uid: number; gid: number }
  env?: Record<string, string>
  /** For a test that does not wait until the database is open. */
  onSpawn?: (child: ChildProcess) => void
}

export async function makeFixture(t: TestContext): Promise<EmbeddedFixture> {
  const path = await mkdtemp(join(tmpdir(), 'embedded test '))
  await chmod(path, 0o755)
  const opened = new Set<string>()
  const cleanups: (() => unknown)[] = [
    () => rm(path, { recursive: true, force: true }),
    () => Promise.all([...opened].map(stopLeftover)),
  ]
  t.after(async () => {
    for (const cleanup of cleanups.toReversed()) await cleanup()
  })
  return {
    path,
    cleanups,
    async open(name, warn) {
      const data_path = join(path, name)
      opened.add(data_path)
      const settings = { fsync: 'off' }
      const database = await openEmbedded({ data_path, settings, ...(warn && { warn }) })
      cleanups.push(() => database.stop())
      return database
    },
    async own(name, options) {
      opened.add(join(path, name))
      const owner = await startOwner(join(path, name), options)
      cleanups.push(() => owner.crash())
      return owner
    },
    async starting(name) {
      const home = await prepareHome(join(path, name))
      const user = await chooseServerUser(home)
      const native_path = await prepareBinaries(await findPackage(), home, user)
      return { home, user, native_path, settings: { fsync: 'off' }, warn: () => {} }
    },
  }
}

/** For tests that are not about the first start: `data` contains a stopped database. */
export async function makeUsedFixture(t: TestContext): Promise<EmbeddedFixture> {
  const fixture = await makeFixture(t)
  await copyUsedData(join(fixture.path, 'data'))
  return fixture
}

/** A failed test may leave an orphaned database: adopts and stops it. */
async function stopLeftover(data_path: string): Promise<void> {
  if ((await findRunningEmbedded(data_path)) === undefined) return
  await (await openEmbedded({ data_path })).stop()
}

async function startOwner(data_path: string, options: OwnerOptions = {}): Promise<Owner> {
  const script = join(options.project ?? repository, 'test', 'embedded-postgres', 'owner.ts')
  const child = spawn(process.execPath, [script, data_path], {
    cwd: '/',
    stdio: ['pipe', 'pipe', 'inherit'],
    // In a separate process group, so that a test can send Ctrl-C to it.
    detached: true,
    env: { PATH: process.env.PATH, ...options.env },
    ...options.user,
  })
  options.onSpawn?.(child)
  const exit = once(child, 'exit')
  const lines = createInterface({ input: child.stdout! })
  const [line] = await Promise.race([once(lines, 'line'), exit.then(() => ['{}'])])
  return {
    child,
    report: JSON.parse(line),
    async crash() {
      child.kill('SIGKILL')
      await exit
    },
    async stop() {
      child.stdin!.end()
      await exit
    },
  }
}

/** Creates a project with the supervisor, pg and optionally the binaries without links. */
export async function makeProject(path: string, options: { binaries: boolean }): Promise<string> {
  await mkdir(path, { recursive: true })
  const sources = ['src/embedded-postgres', 'src/postgres/driver', 'src/version.ts']
  const files = ['package.json', ...sources, 'test/embedded-postgres/owner.ts']
  const modules = await readdir(join(repository, 'node_modules'))
  const wanted = modules.filter((name) => /^(pg|postgres-|split2|xtend)/.test(name))
  if (options.binaries) wanted.push('@embedded-postgres')
  for (const file of [...files, ...wanted.map((name) => `node_modules/${name}`)]) {
    await cp(join(repository, file), join(path, file), {
      recursive: true,
      filter: (source) => !/\.a$|\/lib\/lib(icu\w+|pq|ecpg\w*|pgtypes)\.so(\.\d+)?$/.test(source),
    })
  }
  return path
}

/** Creates a directory that an ordinary user owns, also if root runs the test. */
export async function makeOwnedDirectory(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o755 })
  if (isRoot) await chown(path, ordinary.uid, ordinary.gid)
  return path
}

export async function query<Row extends pg.QueryResultRow>(
  connection: EmbeddedDatabase['connection'],
  sql: string,
): Promise<Row[]> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

/** Polls until `check` returns a value. */
export async function until<T>(check: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const deadline_ms = Date.now() + 30_000
  while (Date.now() < deadline_ms) {
    const found = await check()
    if (found !== undefined && found !== false) return found
    await sleep(20)
  }
  assert.fail('the condition was not met within 30 s')
}

/** A process that has ended may remain as a zombie (Z) until its new parent waits for it. */
export function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' })
  return /^[^Z]/.test(stdout.trim())
}
