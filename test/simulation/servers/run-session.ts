// The runner's own database session, reopened after it is lost.

import pg from 'pg'
import type { RunDatabase } from './run-database.ts'

export class RunSession {
  readonly #database: RunDatabase
  readonly #name: string
  #client: pg.Client | undefined

  constructor(database: RunDatabase, name: string) {
    this.#database = database
    this.#name = name
  }

  /** Throws while the database is unavailable. */
  async rows<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = await this.#open()
    return (await client.query(text, values)).rows
  }

  async #open(): Promise<pg.Client> {
    if (this.#client !== undefined) return this.#client
    const client = new pg.Client({
      ...(await this.#database.connection()),
      application_name: this.#name,
      connectionTimeoutMillis: 2_000,
      query_timeout: 10_000,
    })
    const forget = () => {
      if (this.#client === client) this.#client = undefined
    }
    client.on('error', forget)
    client.on('end', forget)
    await client.connect()
    this.#client = client
    return client
  }

  async close(): Promise<void> {
    await this.#client?.end().catch(() => {})
  }
}
