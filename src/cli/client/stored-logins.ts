// The logins of the CLI: one file, readable only by the user. Writes replace the file atomically,
// so a killed command never leaves a partial one.

import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RefreshResponse } from '../../../client/src/florin.ts'
import { withLock } from './file-lock.ts'
import { StartError } from './ready-server.ts'

export interface StoredServer {
  /** Display name: an email, or the last characters of a key. */
  name?: string
  session?: RefreshResponse
  key?: string
  /** Account of the logged-in user or key, if any. */
  account_id?: string
  /** Signing secrets of `florin listen`, by account. */
  secrets?: Record<string, string>
}

interface Logins {
  /** The server of the last login, used by default. */
  current?: string
  servers: Record<string, StoredServer>
}

export class StoredLogins {
  readonly #folder: string
  readonly path: string

  constructor(config_path: string) {
    this.#folder = config_path
    this.path = join(config_path, 'logins.json')
  }

  async read(): Promise<Logins> {
    try {
      const stored = JSON.parse(await readFile(this.path, 'utf8')) as Partial<Logins>
      return { ...stored, servers: stored.servers ?? {} }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { servers: {} }
      const reason = error instanceof SyntaxError ? 'invalid JSON' : (error as Error).message
      throw new StartError(
        `Cannot read ${this.path}: ${reason}. Remove the file and run: florin login`,
      )
    }
  }

  async server(url: string): Promise<StoredServer> {
    return (await this.read()).servers[url] ?? {}
  }

  /** Reads, changes and writes the file under a lock. */
  async change<Result>(work: (logins: Logins) => Result | Promise<Result>): Promise<Result> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    return withLock(`${this.path}.lock`, async () => {
      const logins = await this.read()
      const before = JSON.stringify(logins)
      const result = await work(logins)
      if (JSON.stringify(logins) !== before) await this.#write(logins)
      return result
    })
  }

  async #write(logins: Logins): Promise<void> {
    const next = `${this.path}.${process.pid}`
    await writeFile(next, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600 })
    await rename(next, this.path)
  }
}
