// One `florin start` as an operator would run it, on a port that it keeps, with all that can be
// done to a process from outside.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Guard } from './guard-client.ts'

export const launcher = fileURLToPath(new URL('../../../bin/florin.mjs', import.meta.url))

// Much longer than any start takes: PROMISES has five seconds, and others may share the machine.
const start_ms_max = 60_000

export interface ServerSettings {
  port: number
  env: NodeJS.ProcessEnv
  /** Where everything goes that it writes. */
  log_fd: number
  log_path: string
  guard: Guard
  /** Beside `start --json`. */
  args?: string[]
}

export class FlorinServer {
  readonly port: number
  readonly #settings: ServerSettings
  #child: ChildProcess | undefined
  /** The process that we ask to end; whatever else ends has ended by itself. */
  #ending: ChildProcess | undefined
  /** Whether it answered when last looked at; clients leave it alone while it does not. */
  is_up = false
  /** How each ended that nobody asked to, after it had served. */
  readonly unexpected_exits: string[] = []
  failed_starts = 0

  constructor(settings: ServerSettings) {
    this.port = settings.port
    this.#settings = settings
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Starts it, and waits until it serves. */
  async start(): Promise<void> {
    this.#spawn()
    await this.untilReady()
  }

  #spawn(): void {
    const { env, log_fd, guard, args = [] } = this.#settings
    const child = spawn(process.execPath, [launcher, 'start', '--json', ...args], {
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
      // A start that fails is tried again and counted; one that served must go on serving.
      if (this.is_up && this.#ending !== child) {
        this.is_up = false
        this.unexpected_exits.push(`it ended by itself with ${signal ?? code}`)
      }
    })
  }

  async untilReady(): Promise<void> {
    const until_ms = performance.now() + start_ms_max
    while (!(await this.#answers())) {
      if (performance.now() > until_ms) throw this.#failure('it is not ready after a minute')
      // A start whose first statements are cut off gives up, and whoever runs it starts it again.
      if (this.#child === undefined) {
        this.failed_starts += 1
        this.#spawn()
      }
      await sleep(20)
    }
    this.is_up = true
  }

  #failure(what: string): Error {
    const said = readFileSync(this.#settings.log_path, 'utf8').trim().split('\n').slice(-5)
    return new Error(`${what}; it said last:\n${said.join('\n')}`)
  }

  // By hand: no pool that could hold on to a connection of a process that is gone.
  #answers(): Promise<boolean> {
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

  /** The process is gone when this ends. */
  async kill(): Promise<void> {
    this.is_up = false
    await this.#end('SIGKILL')
  }

  /** Asks it to stop, and says how it ended. */
  async stop(): Promise<{ code: number | null; signal: string | null; took_ms: number }> {
    this.is_up = false
    const begun = performance.now()
    const kill = setTimeout(() => this.#child?.kill('SIGKILL'), 30_000)
    const [code, signal] = await this.#end('SIGTERM')
    clearTimeout(kill)
    return { code, signal, took_ms: performance.now() - begun }
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
