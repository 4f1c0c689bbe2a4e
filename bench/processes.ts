// Starts and stops the measured processes, the way an operator would run them.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { AttackOptions, AttackResult } from './attack.ts'
import type { LoadOptions, LoadResult } from './load.ts'
import type { PgledgerLoadOptions } from './pgledger.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

export interface RunningProcess {
  port: number
  pid: number
  /** Time from the start of the process to its ready line. */
  ready_ms: number
  stop(): Promise<void>
}

export function startEcho(response: string): Promise<RunningProcess> {
  return start(['bench/echo.ts', response], {})
}

/** Starts the baseline on the database of a running Florin. */
export function startBaseline(connection: object): Promise<RunningProcess> {
  return start(['bench/baseline.ts', JSON.stringify(connection)], {})
}

/** Starts the lanes without HTTP layers on the database of a running Florin. */
export function startBareLane(connection: object): Promise<RunningProcess> {
  return start(['bench/bare-lane.ts', JSON.stringify(connection)], {})
}

export async function startFlorin(env: Record<string, string>): Promise<RunningProcess> {
  const settings = {
    FLORIN_RATE_LIMIT: 'off',
    // Neither echo nor baseline logs, and reading a line per request would keep this process
    // as busy as the load generator.
    FLORIN_LOG: 'warn',
    FLORIN_ADMIN_EMAIL: 'bench@example.com',
    FLORIN_ADMIN_PASSWORD: 'bench-password',
    PORT: '0',
    ...env,
  }
  return start(['bin/florin.mjs', 'start', '--no-worker'], settings)
}

/** Starts a webhook receiver that responds immediately. */
export function startSink(): Promise<RunningProcess> {
  return start(['bench/webhook-sink.ts'], {})
}

/** Starts the worker on the database of a running Florin. HOST lets it deliver to loopback. */
export function startWorker(env: Record<string, string>): Promise<RunningProcess> {
  const settings = { HOST: '127.0.0.1', ...env }
  return start(['bin/florin.mjs', 'worker', '--json'], settings, /worker is ready/)
}

async function start(
  args: string[],
  env: Record<string, string>,
  ready = /"(port|url)"/,
): Promise<RunningProcess> {
  const started = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...withoutDatabase(), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const line = await firstLine(child, ready)
  const ready_ms = performance.now() - started
  const info = JSON.parse(line)
  const port = info.port ?? (info.url === undefined ? 0 : Number(new URL(info.url).port))
  child.stdout!.resume()
  return { port, pid: child.pid!, ready_ms, stop: () => stop(child) }
}

/**
 * This process's environment without DATABASE_URL, because each target sets its own. Florin would
 * warn about a setting that only the bench has.
 */
export function withoutDatabase(): NodeJS.ProcessEnv {
  const { DATABASE_URL: _, FLORIN_BENCH_PGLEDGER: _peer, ...env } = process.env
  return env
}

function firstLine(child: ChildProcess, ready: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: child.stdout! })
    lines.on('line', (line) => {
      if (!ready.test(line)) return
      lines.close()
      resolve(line)
    })
    child.on('exit', (code) => reject(new Error(`the process exited with ${code} before ready`)))
  })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.on('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

export function load(options: LoadOptions): Promise<LoadResult> {
  return runClient('bench/load.ts', options)
}

export function loadPgledger(options: PgledgerLoadOptions): Promise<LoadResult> {
  return runClient('bench/pgledger.ts', options)
}

export function attack(options: AttackOptions): Promise<AttackResult> {
  return runClient('bench/attack.ts', options)
}

function runClient<Result>(file: string, options: object): Promise<Result> {
  const child = spawn(process.execPath, [join(root, file)], { stdio: ['pipe', 'pipe', 'inherit'] })
  // Options go over stdin: a thousand requests exceed the size limit for arguments.
  child.stdin.end(JSON.stringify(options))
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  return new Promise((resolve, reject) => {
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(text))
      else reject(new Error(`${file} exited with ${code}`))
    })
  })
}

export async function withFolder<Result>(work: (path: string) => Promise<Result>): Promise<Result> {
  const path = await mkdtemp(join(tmpdir(), 'florin-bench-'))
  try {
    return await work(path)
  } finally {
    await rm(path, { recursive: true, force: true })
  }
}

/** Resident memory of a process in MB; undefined where /proc is missing. */
export async function residentMb(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kb = /VmRSS:\s+(\d+)/.exec(status)?.[1]
  return kb === undefined ? undefined : Math.round(Number(kb) / 102.4) / 10
}

export function httpRequest(method: string, path: string, headers: string[], body = ''): string {
  const length = body === '' ? [] : [`content-length: ${Buffer.byteLength(body)}`]
  const head = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', ...headers, ...length]
  return [...head, '', body].join('\r\n')
}
