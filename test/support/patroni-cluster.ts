// The cluster of docs/guides/high-availability.md on loopback ports: etcd, two PostgreSQL servers
// under Patroni, and HAProxy in front of them, with the configuration files of the guide. Only
// addresses, paths and the number of etcd servers differ.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { prepareHome } from '../../src/embedded-postgres/prepare-home.ts'
import { chooseServerUser, type ServerUser } from '../../src/embedded-postgres/server-user.ts'
import { findFreePort } from './free-port.ts'
import { ask } from './postgres.ts'
import { untilTrue } from './standby-pair.ts'

const programs = {
  patroni: '/usr/bin/patroni',
  patronictl: '/usr/bin/patronictl',
  etcd: '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  initdb: '/usr/lib/postgresql/15/bin/initdb',
}

const missing = Object.values(programs).filter((path) => !existsSync(path))

export const without_patroni =
  missing.length > 0 &&
  `${missing.join(', ')} missing: install patroni, etcd-server, haproxy and postgresql-15`

interface ClusterOptions {
  onStarted?: (pid: number) => void
  onEnded?: (pid: number) => void
  /** The directory of a member has its data in data/postgres. */
  onDirectory?: (path: string) => void
}

/** Starts everything and creates Florin's role and database. The caller ends the cluster. */
export async function startPatroniCluster(options: ClusterOptions = {}): Promise<PatroniCluster> {
  if (without_patroni) throw new Error(without_patroni)
  const directory = await mkdtemp(join(tmpdir(), 'florin-patroni-'))
  const user = await chooseServerUser(await prepareHome(directory))
  await chown(directory, user.uid, user.gid)
  const cluster = new PatroniCluster(directory, user, options)
  try {
    await cluster.start()
    return cluster
  } catch (error) {
    await cluster.end()
    throw error
  }
}

export class PatroniCluster {
  readonly directory: string
  readonly #user: ServerUser
  readonly #options: ClusterOptions
  readonly #members: PatroniMember[] = []
  readonly #children = new Map<string, ChildProcess>()
  /** Everything that the caller learned of by `onDirectory`. */
  readonly directories: string[] = []
  /** What Florin connects to: HAProxy. */
  url = ''

  constructor(directory: string, user: ServerUser, options: ClusterOptions) {
    this.directory = directory
    this.#user = user
    this.#options = options
    this.#addDirectory(directory)
  }

  #addDirectory(path: string): void {
    this.directories.push(path)
    this.#options.onDirectory?.(path)
  }

  async start(): Promise<void> {
    const etcd_port = await this.#startEtcd()
    for (const [name, host] of Object.entries(guide_hosts)) {
      this.#members.push(await this.#prepareMember(name, host, etcd_port))
    }
    const [first, second] = this.#members
    this.#startMember(first!)
    await untilTrue(`${first!.name} is the primary`, () => isInRole(first!, 'primary'))
    this.#startMember(second!)
    await this.untilSynchronous()
    for (const statement of readGuideBlock('-- on the primary').split(';\n')) {
      if (statement.trim() !== '') await ask(first!.superuser, statement)
    }
    this.url = await this.#startHaproxy()
    await untilTrue('HAProxy responds', async () => {
      return (await ask({ connectionString: this.url }, 'select 1')).rowCount === 1
    })
  }

  async #startEtcd(): Promise<number> {
    const [client, peer] = [await findFreePort(), await findFreePort()]
    const text = replaceEach(readGuideBlock('# /etc/default/etcd'), {
      [guide_etcd_peers]: `etcd1=http://127.0.0.1:${peer}`,
      '10.0.0.11:2379': `127.0.0.1:${client}`,
      '10.0.0.11:2380': `127.0.0.1:${peer}`,
      '/var/lib/etcd/florin': join(this.directory, 'etcd'),
    })
    const lines = text.matchAll(/^(ETCD_\w+)='?([^'\n]*)'?$/gm)
    const env = Object.fromEntries(lines.map(([, name, value]) => [name!, value!]))
    this.#spawn('etcd', programs.etcd, [], env)
    await untilTrue('etcd responds', async () => {
      return (await fetch(`http://127.0.0.1:${client}/health`)).ok
    })
    return client
  }

  async #prepareMember(name: string, host: string, etcd_port: number): Promise<PatroniMember> {
    const directory = join(this.directory, name)
    const data_path = join(directory, 'data/postgres')
    const { uid, gid } = this.#user
    for (const path of [directory, join(directory, 'data')]) {
      await mkdir(path, { mode: 0o700 })
      await chown(path, uid, gid)
    }
    this.#addDirectory(directory)
    const ports = { postgres: await findFreePort(), api: await findFreePort() }
    const text = replaceEach(readGuideBlock('# /etc/patroni/config.yml'), {
      [guide_etcd_clients]: `127.0.0.1:${etcd_port}`,
      'name: db1': `name: ${name}`,
      [guide_hosts.db1]: host,
      '/var/lib/postgresql/15/florin': data_path,
      '/var/lib/postgresql/patroni.pgpass': join(directory, 'pgpass'),
      '/var/run/postgresql': directory,
      '10.0.0.0/24': '127.0.0.1/32',
    })
    const [, password] = /username: postgres\n\s+password: (\S+)/.exec(text)!
    const superuser = {
      host: '127.0.0.1',
      port: ports.postgres,
      user: 'postgres',
      password: password!,
      database: 'postgres',
    }
    const member = { name, host, ports, data_path, superuser, config: join(directory, 'it.yml') }
    await this.#write(member.config, toLoopback(text, [member]))
    return member
  }

  #startMember({ name, config }: PatroniMember): void {
    this.#spawn(name, programs.patroni, [config])
  }

  async #startHaproxy(): Promise<string> {
    const port = await findFreePort()
    const text = replaceEach(readGuideBlock('# /etc/haproxy/haproxy.cfg'), {
      'bind 127.0.0.1:5000': `bind 127.0.0.1:${port}`,
      // Only root can change its user.
      '  user haproxy\n  group haproxy\n': '',
    })
    const path = join(this.directory, 'haproxy.cfg')
    await this.#write(path, toLoopback(text, this.#members))
    this.#spawn('haproxy', programs.haproxy, ['-db', '-f', path])
    const [, url] = /^DATABASE_URL='(.*)'$/m.exec(readGuideBlock('# /etc/florin/florin.env'))!
    return replaceEach(url!, { '127.0.0.1:5000': `127.0.0.1:${port}` })
  }

  /** Waits until commits on the primary wait for the other server. */
  async untilSynchronous(): Promise<void> {
    await untilTrue('the standby is synchronous', async () => {
      const { from, to } = await this.#roles()
      return (await isInRole(from, 'primary')) && (await isInRole(to, 'synchronous'))
    })
  }

  /** Swaps the roles as the guide does. Returns for how long there was no primary. */
  async switchOver(): Promise<number> {
    const { from, to } = await this.#roles()
    const promoted = untilPromoted(to)
    const [, command] = /^patronictl -c \S+ (switchover .*)$/m.exec(
      readGuideBlock('# switch over'),
    )!
    const names: Record<string, string> = { db1: from.name, db2: to.name }
    const args = command!.split(' ').map((word) => names[word] ?? word)
    await promisify(execFile)(programs.patronictl, ['-c', from.config, ...args], {
      env: this.#env(),
    })
    return (await promoted) - this.#demotedAt(from)
  }

  /** When Patroni last began to demote a primary, by its log and on the clock of this process. */
  #demotedAt({ name }: PatroniMember): number {
    const log = readFileSync(join(this.directory, `${name}.log`), 'utf8')
    const [last] = [...log.matchAll(/^(\S+) (\S+) INFO: .*demoting myself/gm)].slice(-1)
    const [, date, time] = last!
    return Date.parse(`${date}T${time!.replace(',', '.')}Z`) - performance.timeOrigin
  }

  /** Kills the primary and its Patroni, like the loss of a machine. Returns the same. */
  async failOver(): Promise<number> {
    const { from, to } = await this.#roles()
    const promoted = untilPromoted(to)
    const killed_ms = performance.now()
    await this.#kill(from)
    return (await promoted) - killed_ms
  }

  /** Starts what failOver killed, and waits until it is the synchronous standby. */
  async rejoin(): Promise<void> {
    for (const member of this.#members) {
      if (!this.#children.has(member.name)) this.#startMember(member)
    }
    await this.untilSynchronous()
  }

  async end(): Promise<void> {
    for (const member of this.#members) await this.#kill(member)
    for (const child of this.#children.values()) {
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    }
    await rm(this.directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }

  /** The primary and the other server. */
  async #roles(): Promise<{ from: PatroniMember; to: PatroniMember }> {
    for (const from of this.#members) {
      const is_primary = await isInRole(from, 'primary').catch(() => false)
      const to = this.#members.find((member) => member !== from)
      if (is_primary && to !== undefined) return { from, to }
    }
    throw new Error('there is no primary')
  }

  // Both at once: if one of them survived, it would restart or stop the other.
  async #kill({ name, data_path }: PatroniMember): Promise<void> {
    const child = this.#children.get(name)
    const exit = child && once(child, 'exit')
    const postmaster = findPostmaster(data_path)
    child?.kill('SIGKILL')
    if (postmaster !== undefined) kill(postmaster)
    await exit
  }

  #spawn(name: string, program: string, args: string[], env: NodeJS.ProcessEnv = {}): void {
    const { onStarted, onEnded } = this.#options
    const { uid, gid, switched } = this.#user
    const log = openSync(join(this.directory, `${name}.log`), 'a')
    const child = spawn(program, args, {
      cwd: this.directory,
      env: { ...this.#env(), ...env },
      stdio: ['ignore', log, log],
      ...(switched && { uid, gid }),
    })
    closeSync(log)
    this.#children.set(name, child)
    onStarted?.(child.pid!)
    child.once('exit', () => {
      if (this.#children.get(name) === child) this.#children.delete(name)
      onEnded?.(child.pid!)
    })
  }

  #env(): NodeJS.ProcessEnv {
    return { PATH: process.env.PATH, HOME: this.directory, LC_ALL: 'C.UTF-8', TZ: 'UTC' }
  }

  async #write(path: string, text: string): Promise<void> {
    await writeFile(path, text, { mode: 0o600 })
    await chown(path, this.#user.uid, this.#user.gid)
  }
}

interface PatroniMember {
  name: string
  /** Its address in the guide. */
  host: string
  ports: { postgres: number; api: number }
  data_path: string
  config: string
  superuser: { host: string; port: number; user: string; password: string; database: string }
}

const guide_hosts = { db1: '10.0.0.11', db2: '10.0.0.12' }
const guide_etcd_clients = '10.0.0.11:2379,10.0.0.12:2379,10.0.0.13:2379'
const guide_etcd_peers =
  'etcd1=http://10.0.0.11:2380,etcd2=http://10.0.0.12:2380,etcd3=http://10.0.0.13:2380'

const guide = readFileSync(
  new URL('../../docs/guides/high-availability.md', import.meta.url),
  'utf8',
)

/** Returns the block of the guide whose first line starts with this text. */
function readGuideBlock(start: string): string {
  const blocks = [...guide.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, text]) => text!)
  const [block, other] = blocks.filter((text) => text.startsWith(start))
  if (block === undefined || other !== undefined) {
    throw new Error(`the guide must have one block that starts with "${start}"`)
  }
  return block.slice(block.indexOf('\n') + 1)
}

/** Fails if the guide no longer has one of the texts. */
function replaceEach(text: string, replacements: Record<string, string>): string {
  return Object.entries(replacements).reduce((all, [shown, real]) => {
    if (!all.includes(shown)) throw new Error(`the guide does not contain "${shown}"`)
    return all.replaceAll(shown, real)
  }, text)
}

/** Each line names at most one server. */
function toLoopback(text: string, members: PatroniMember[]): string {
  const lines = text.split('\n').map((line) => {
    const member = members.find(({ host }) => line.includes(host))
    if (member === undefined) return line
    return line
      .replaceAll(member.host, '127.0.0.1')
      .replaceAll('5432', String(member.ports.postgres))
      .replaceAll('8008', String(member.ports.api))
  })
  return lines.join('\n')
}

/** Queries the same API of Patroni as HAProxy does. */
async function isInRole(
  { ports }: PatroniMember,
  role: 'primary' | 'synchronous',
): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${ports.api}/${role}`)
  await response.arrayBuffer()
  return response.ok
}

/** Resolves with the time at which a standby accepts writes. Patroni may restart it before. */
async function untilPromoted(member: PatroniMember): Promise<number> {
  const until_ms = performance.now() + 120_000
  while (performance.now() < until_ms) {
    const promoted_ms = await watchPromotion(member, until_ms).catch(() => undefined)
    if (promoted_ms !== undefined) return promoted_ms
    await sleep(20)
  }
  throw new Error(`${member.name} was not promoted within two minutes`)
}

async function watchPromotion(
  { superuser }: PatroniMember,
  until_ms: number,
): Promise<number | undefined> {
  const client = new pg.Client(superuser)
  client.on('error', () => {})
  await client.connect()
  try {
    while (performance.now() < until_ms) {
      const { rows } = await client.query('select pg_is_in_recovery() as is_standby')
      if (!rows[0].is_standby) return performance.now()
      await sleep(20)
    }
    return undefined
  } finally {
    await client.end().catch(() => {})
  }
}

/** Another process may have the number of one that was killed earlier. */
function findPostmaster(data_path: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(data_path, 'postmaster.pid'), 'utf8').split('\n')[0])
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(data_path) ? pid : undefined
  } catch {
    return undefined
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has already exited.
  }
}
