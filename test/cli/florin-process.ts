// Runs the real command in a separate process with a separate data directory. After a test,
// remaining processes are killed by pid and their data is removed.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findRunningEmbedded, openEmbedded } from '../../src/embedded-postgres/open-embedded.ts'
import { runFolder } from '../support/secrets.ts'

export const launcher = fileURLToPath(new URL('../../bin/florin.mjs', import.meta.url))

export interface Options {
  env?: Record<string, string | undefined>
  stdin?: string
  /** Run in a separate process group, so that a test can send Ctrl-C to it. */
  group?: boolean
  node?: string
  script?: string
  cwd?: string
  /** Run as another system user, which requires root. */
  user?: { uid: number; gid: number }
  /** A wrapper command that starts Node.js, such as prlimit with its options. */
  under?: string[]
  node_args?: string[]
}

export interface ProcessExit {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export class FlorinProcess {
  readonly child: ChildProcess
  stdout = ''
  stderr = ''
  readonly ended: Promise<ProcessExit>

  constructor(args: string[], options: Options) {
    const { node = process.execPath, script = launcher, cwd = '/', group = false } = options
    const { under = [], node_args = [], user = {} } = options
    const [program, ...rest] = [...under, node, ...node_args, script, ...args]
    const env = envOf(options.env)
    this.child = spawn(program!, rest, { cwd, detached: group, env, ...user })
    this.child.stdout!.setEncoding('utf8').on('data', (text) => {
      this.stdout += text
    })
    this.child.stderr!.setEncoding('utf8').on('data', (text) => {
      this.stderr += text
    })
    this.child.stdin!.on('error', () => {})
    this.child.stdin!.end(options.stdin ?? '')
    this.ended = once(this.child, 'close').then(([code, signal]) => {
      saveOutput(this)
      return { code, signal, stdout: this.stdout, stderr: this.stderr }
    })
  }

  get pid(): number {
    return this.child.pid!
  }

  /** Waits for the JSON log line with this message. */
  async line(msg: string): Promise<ReadyLine> {
    const found = await this.text(new RegExp(`^.*"msg":"${msg}".*$`, 'm'))
    return JSON.parse(found[0])
  }

  /** Waits until the output matches. */
  async text(pattern: RegExp): Promise<RegExpExecArray> {
    let ended = false
    void this.ended.then(() => {
      ended = true
    })
    for (;;) {
      const found = pattern.exec(this.stdout)
      if (found) return found
      if (ended) throw new Error(`it ended without ${pattern}:\n${this.stdout}${this.stderr}`)
      await Promise.race([once(this.child.stdout!, 'data'), this.ended])
    }
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<ProcessExit> {
    this.child.kill(signal)
    return this.ended
  }
}

// The last test of the run searches all output for secrets.
function saveOutput({ pid, stdout, stderr }: FlorinProcess): void {
  const logs = runFolder('logs')
  if (logs) appendFileSync(join(logs, `command-${pid}.log`), stdout + stderr)
}

// Removes the FLORIN_TEST_ variables of the test run, which would cause unknown-setting warnings.
export function envOf(given: Record<string, string | undefined> = {}): NodeJS.ProcessEnv {
  const florin_settings = /^(FLORIN_|NODE_|HOST$|PORT$|DATABASE_URL$|NO_COLOR$|FORCE_COLOR$)/
  const others = Object.entries(process.env).filter(([name]) => !florin_settings.test(name))
  return { ...Object.fromEntries(others), PORT: '0', ...given }
}

export interface Installation {
  path: string
  data_path: string
  /** Starts a command with this data directory. */
  run(args: string[], options?: Options): FlorinProcess
  /** Starts the server and waits until it is ready. */
  start(options?: Options, args?: string[]): Promise<StartedServer>
}

interface StartedServer {
  florin: FlorinProcess
  ready: ReadyLine
  url: string
}

/** The log line "florin is ready". */
interface ReadyLine {
  version: string
  mode: string
  node: string
  pid: number
  url: string
  public_url: string
  docs_url: string
  database: { kind: string; version: string; started: string; location: string }
  migrated: string[]
  worker: boolean
  has_admin: boolean
  first_admin?: string
  setup_url?: string
  try: string
  stop: string
}

/** Cleans up after the test, or after the whole file if given `{ after }`. */
export async function makeInstallation(t: {
  after(work: () => Promise<void>): void
}): Promise<Installation> {
  const path = await mkdtemp(join(tmpdir(), 'florin command '))
  const data_path = join(path, 'data')
  const processes: FlorinProcess[] = []
  t.after(async () => {
    for (const florin of processes) await end(florin)
    // A failed test may leave an orphaned database: adopt it and stop it.
    if (await findRunningEmbedded(data_path)) await (await openEmbedded({ data_path })).stop()
    await rm(path, { recursive: true, force: true })
  })
  const run = (args: string[], options: Options = {}) => {
    const env = { FLORIN_DATA: data_path, ...options.env }
    const florin = new FlorinProcess(args, { ...options, env })
    processes.push(florin)
    return florin
  }
  return {
    path,
    data_path,
    run,
    async start(options, args = []) {
      const florin = run(['start', ...args], options)
      const ready = await florin.line('florin is ready')
      return { florin, ready, url: ready.url }
    },
  }
}

async function end({ child, ended }: FlorinProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await ended
}

/** Runs a command without a data directory until it exits. */
export function runToEnd(args: string[], options: Options = {}): Promise<ProcessExit> {
  return new FlorinProcess(args, options).ended
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** The pid of the embedded database, or undefined if none is running. */
export async function databasePid(data_path: string): Promise<number | undefined> {
  return (await findRunningEmbedded(data_path))?.pid
}
