// Runs CLI commands against a server in this process, with a separate folder for stored logins.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { FlorinProcess, type Options, type ProcessExit } from './florin-process.ts'

export class Cli {
  readonly config_home = mkdtempSync(join(tmpdir(), 'florin config '))
  readonly logins_path = join(this.config_home, 'florin', 'logins.json')
  readonly #env: Record<string, string>
  readonly #started: FlorinProcess[] = []

  constructor(server: string | undefined) {
    this.#env = {
      XDG_CONFIG_HOME: this.config_home,
      ...(server !== undefined && { FLORIN_SERVER: server }),
    }
    after(() => {
      // A process left by a failed test would keep the test run alive.
      for (const { child } of this.#started) if (child.exitCode === null) child.kill('SIGKILL')
      rmSync(this.config_home, { recursive: true, force: true })
    })
  }

  start(args: string[], options: Options = {}): FlorinProcess {
    const started = new FlorinProcess(args, { ...options, env: { ...this.#env, ...options.env } })
    this.#started.push(started)
    return started
  }

  run(args: string[], options: Options = {}): Promise<ProcessExit> {
    return this.start(args, options).ended
  }

  /** Runs a command that must succeed, and returns the JSON it prints. */
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect the response.
  async json(...args: string[]): Promise<any> {
    const { code, stdout, stderr } = await this.run(args)
    assert.deepEqual([code, stderr], [0, ''], stderr)
    return JSON.parse(stdout)
  }

  async logIn(who: { email: string; password: string }): Promise<void> {
    const args = ['login', '--email', who.email, '--password-stdin']
    const { code, stderr } = await this.run(args, { stdin: `${who.password}\n` })
    assert.deepEqual([code, stderr], [0, ''])
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests inspect the stored logins.
  logins(): any {
    return JSON.parse(readFileSync(this.logins_path, 'utf8'))
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests change the stored logins.
  rewrite(change: (logins: any) => void): void {
    const logins = this.logins()
    change(logins)
    writeFileSync(this.logins_path, JSON.stringify(logins))
  }
}
