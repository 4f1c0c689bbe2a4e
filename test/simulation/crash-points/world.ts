// Callers for a group of cells: users of its database, created once, and objects as needed.

import assert from 'node:assert/strict'
import type { Db } from '../../../src/postgres/database.ts'
import { type ApiResponse, type CallOptions, call } from '../../support/call.ts'
import { type Owner, People, type Person } from '../../support/people.ts'
import type { CrashableServer } from './crashable-server.ts'

/** The server that prepares requests. */
type WorldServer = Pick<CrashableServer, 'url' | 'public_url' | 'db'>

export class World {
  readonly people: People
  readonly #server: WorldServer
  #admin: Promise<Person> | undefined
  #owners: Owner[] = []
  #owners_used = 0
  #waves = 0
  #number = 0

  constructor(server: WorldServer) {
    this.#server = server
    this.people = new People(server.db)
  }

  /** Hashing a password is slow, so a user that no cell changes is shared by all cells. */
  admin(): Promise<Person> {
    this.#admin ??= this.people.admin()
    return this.#admin
  }

  /** Returns an owner whose account no other cell of this wave locks. */
  async owner(): Promise<Owner> {
    const owner = this.#owners[this.#owners_used] ?? (await this.people.owner())
    this.#owners[this.#owners_used] = owner
    this.#owners_used += 1
    return owner
  }

  /**
   * Makes the owners available to the next wave: no recipe leaves them unusable. A user gets at
   * most five notices of a kind per hour, so after two waves there are new ones.
   */
  nextWave(): void {
    this.#owners_used = 0
    this.#waves += 1
    if (this.#waves % 2 === 0) this.#owners = []
  }

  /** A direct connection, for rows that no request can create. */
  get db(): Db {
    return this.#server.db
  }

  /** The origin of its pages, which a passkey signs. */
  get public_url(): string {
    return this.#server.public_url
  }

  /** Returns a new name or the local part of an email. */
  unique(): string {
    this.#number += 1
    return `crash-${process.pid}-${new URL(this.#server.url).port}-${this.#number}`
  }

  call(method: string, path: string, options?: CallOptions): Promise<ApiResponse> {
    return call(this.#server.url, method, path, options)
  }

  /** Creates an object over the API. */
  async create(path: string, options: CallOptions): Promise<ApiResponse['body']> {
    const { status, text, body } = await this.call('POST', path, options)
    assert.ok(status === 200 || status === 201, `POST ${path} returned ${status} ${text}`)
    return body
  }

  /** Returns a check that reading the object gives the response's values in all shared fields. */
  readsSame(path: string, token: string, more: CallOptions = {}) {
    return async (response: Record<string, unknown>): Promise<void> => {
      const found = await this.call('GET', path.replace('{id}', String(response.id)), {
        token,
        ...more,
      })
      assert.equal(found.status, 200, `${path}: ${found.text}`)
      const both = Object.keys(found.body).filter((name) => name in response)
      assert.ok(both.includes('id') && both.includes('status'), `${path} returns too few fields`)
      for (const name of both) assert.deepEqual(found.body[name], response[name], name)
    }
  }
}
