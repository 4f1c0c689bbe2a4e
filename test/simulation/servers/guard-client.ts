// Tells the guard what must not outlive this process.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('guard-process.ts', import.meta.url))

export class Guard {
  readonly #child: ChildProcess

  constructor() {
    // In a group of its own: Ctrl-C must not end it before us.
    this.#child = spawn(process.execPath, [script], {
      stdio: ['pipe', 'ignore', 'inherit'],
      detached: true,
    })
    this.#child.stdin!.on('error', () => {})
  }

  addProcess(pid: number): void {
    this.#tell(`+pid ${pid}`)
  }

  forgetProcess(pid: number): void {
    this.#tell(`-pid ${pid}`)
  }

  addDirectory(path: string): void {
    this.#tell(`+dir ${path}`)
  }

  forgetDirectory(path: string): void {
    this.#tell(`-dir ${path}`)
  }

  /** It cleans up what is left and ends. */
  async end(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.stdin!.end()
    await ended
  }

  #tell(line: string): void {
    this.#child.stdin!.write(`${line}\n`)
  }
}
