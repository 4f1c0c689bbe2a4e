// Who is logged in where: one file of the user's own, which nobody else may read. It is replaced as
// a whole, so that a command that is killed leaves the old one or the new one.

import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withLock } from './file-lock.ts'
import { StartError } from './ready-server.ts'

export interface StoredSession {
  access_token: string
  refresh_token: string
  /** Milliseconds since 1970. */
  expires_at: number
}

export interface StoredServer {
  /** Who: an email, or the end of a key. */
  name?: string
  session?: StoredSession
  key?: string
  /** The account of whoever is logged in, when there is one. */
  account_id?: string
  /** What `florin listen` signs with, by account: the same each time. */
  secrets?: Record<string, string>
}

export interface Logins {
  /** The server of the last log-in: meant when none is named. */
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
      const kept = JSON.parse(await readFile(this.path, 'utf8')) as Partial<Logins>
      return { ...kept, servers: kept.servers ?? {} }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { servers: {} }
      const reason = error instanceof SyntaxError ? 'it is no JSON' : (error as Error).message
      throw new StartError(
        `${this.path} cannot be read: ${reason}. Remove it, and run: florin login`,
      )
    }
  }

  async server(url: string): Promise<StoredServer> {
    return (await this.read()).servers[url] ?? {}
  }

  /** Reads, changes and writes with nobody between. */
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
