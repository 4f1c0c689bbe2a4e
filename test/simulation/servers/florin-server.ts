// Runs `florin start` as an operator would, on a fixed port, with control over the process.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Guard } from './guard-client.ts'

export const launcher = fileURLToPath(new URL('../../../bin/florin.mjs', import.meta.url))

// Much longer than any start takes, because the machine may be busy.
const max_start_ms = 60_000

interface ServerSettings {
  port: number
  env: NodeJS.ProcessEnv
  /** Receives stdout and stderr. */
  log_fd: number
  log_path: string
  guard: Guard
  /** Additional arguments for `start --json`. */
  args?: string[]
  /** Of another version; the default is this one. */
  launcher_path?: string
}

export class FlorinServer {
  readonly port: number
  readonly #settings: ServerSettings
  #child: ChildProcess | undefined
  /** The process that is being stopped or killed. Any other exit is unexpected. */
  #ending: ChildProcess | undefined
  /** Whether the server was ready when last checked. Clients avoid it while it is not. */
  is_up = false
  /** Exits that the runner did not cause, after the server was ready. */
  readonly unexpected_exits: string[] = []
  failed_starts = 0
  kills = 0

  constructor(settings: ServerSettings) {
    this.port = settings.port
    this.#settings = settings
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Starts the server and waits until it is ready. */
  async start(): Promise<void> {
    this.#spawn()
    await this.untilReady()
  }

  #spawn(): void {
    const { env, log_fd, guard, args = [], launcher_path = launcher } = this.#settings
    const child = spawn(process.execPath, [launcher_path, 'start', '--json', ...args], {
      cwd: '/',
      env,
      stdio: ['ignore', log_fd, log_fd],
      detached: true,
    })
    this.#child = child
    guard.addProcess(child.pid!)
    child.on('exit', (code, signal) => {
      guard.forgetProcess(child.pid!)
      if (this.#child === child) this.#child = undefined
      // A failed start is retried and counted, but a server that was ready must keep running.
      if (this.is_up && this.#ending !== child) {
        this.is_up = false
        this.unexpected_exits.push(`the server exited by itself with ${signal ?? code}`)
      }
    })
  }

  async untilReady(): Promise<void> {
    const until_ms = performance.now() + max_start_ms
    while (!(await this.#isReady())) {
      if (performance.now() > until_ms)
        throw this.#failure('the server is not ready after a minute')
      // A start whose first statements fail exits, and a supervisor would restart it.
      if (this.#child === undefined) {
        this.failed_starts += 1
        this.#spawn()
      }
      await sleep(20)
    }
    this.is_up = true
  }

  #failure(what: string): Error {
    const lines = readFileSync(this.#settings.log_path, 'utf8').trim().split('\n').slice(-5)
    return new Error(`${what}; last log lines:\n${lines.join('\n')}`)
  }

  // Uses a plain socket: a pool could keep connections to a process that no longer exists.
  #isReady(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = createConnection({ host: '127.0.0.1', port: this.port })
      let text = ''
      socket.setTimeout(2_000, () => socket.destroy())
      socket.on('connect', () => socket.write('GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n'))
      socket.on('data', (data) => {
        text += data
        socket.destroy()
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve(text.startsWith('HTTP/1.1 200')))
    })
  }

  /** Kills the process and waits until it is gone. */
  async kill(): Promise<void> {
    this.is_up = false
    this.kills += 1
    await this.#end('SIGKILL')
  }

  /** Stops the server gracefully and returns how it exited. */
  async stop(): Promise<{ code: number | null; signal: string | null; took_ms: number }> {
    this.is_up = false
    const started = performance.now()
    const kill = setTimeout(() => this.#child?.kill('SIGKILL'), 30_000)
    const [code, signal] = await this.#end('SIGTERM')
    clearTimeout(kill)
    return { code, signal, took_ms: performance.now() - started }
  }

  async #end(signal: NodeJS.Signals): Promise<[number | null, string | null]> {
    const child = this.#child
    if (child === undefined) return [null, null]
    const ended = once(child, 'exit')
    this.#ending = child
    child.kill(signal)
    return (await ended) as [number | null, string | null]
  }

  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name)
  }
}
