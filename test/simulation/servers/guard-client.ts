// Registers with the guard what must not outlive this process.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('guard-process.ts', import.meta.url))

export class Guard {
  readonly #child: ChildProcess

  constructor() {
    // In a separate process group: Ctrl-C must not end it before this process.
    this.#child = spawn(process.execPath, [script], {
      stdio: ['pipe', 'ignore', 'inherit'],
      detached: true,
    })
    this.#child.stdin!.on('error', () => {})
  }

  addProcess(pid: number): void {
    this.#send(`+pid ${pid}`)
  }

  forgetProcess(pid: number): void {
    this.#send(`-pid ${pid}`)
  }

  addDirectory(path: string): void {
    this.#send(`+dir ${path}`)
  }

  forgetDirectory(path: string): void {
    this.#send(`-dir ${path}`)
  }

  /** Makes the guard clean up what is left and exit. */
  async end(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.stdin!.end()
    await ended
  }

  #send(line: string): void {
    this.#child.stdin!.write(`${line}\n`)
  }
}
