// Who asks in a group of cells: people of its database, made once, and objects as cells need them.

import assert from 'node:assert/strict'
import { type ApiResponse, type CallOptions, call } from '../../support/call.ts'
import { type Owner, People, type Person } from '../../support/people.ts'
import type { CrashableServer } from './crashable-server.ts'

export class World {
  readonly people: People
  readonly #server: CrashableServer
  #admin: Promise<Person> | undefined
  readonly #owners: Owner[] = []
  #owners_taken = 0
  #number = 0

  constructor(server: CrashableServer) {
    this.#server = server
    this.people = new People(server.db)
  }

  /** Hashing a password takes a while: whoever is not changed by a cell serves all of them. */
  admin(): Promise<Person> {
    this.#admin ??= this.people.admin()
    return this.#admin
  }

  /** Somebody whose account no other cell of this wave locks. */
  async owner(): Promise<Owner> {
    const owner = this.#owners[this.#owners_taken] ?? (await this.people.owner())
    this.#owners[this.#owners_taken] = owner
    this.#owners_taken += 1
    return owner
  }

  /** The owners of the wave before serve again: no recipe leaves theirs unusable. */
  nextWave(): void {
    this.#owners_taken = 0
  }

  /** A name or an email that nobody has yet. */
  unique(): string {
    this.#number += 1
    return `crash-${process.pid}-${new URL(this.#server.url).port}-${this.#number}`
  }

  call(method: string, path: string, options?: CallOptions): Promise<ApiResponse> {
    return call(this.#server.url, method, path, options)
  }

  /** Something that a cell needs, made over the API. */
  async make(path: string, asked: CallOptions): Promise<ApiResponse['body']> {
    const { status, text, body } = await this.call('POST', path, asked)
    assert.ok(status === 200 || status === 201, `POST ${path} was answered ${status} ${text}`)
    return body
  }

  /** What is read now is what was answered, as far as both tell it. */
  shows(path: string, token: string, more: CallOptions = {}) {
    return async (response: Record<string, unknown>): Promise<void> => {
      const found = await this.call('GET', path.replace('{id}', String(response.id)), {
        token,
        ...more,
      })
      assert.equal(found.status, 200, `${path}: ${found.text}`)
      const both = Object.keys(found.body).filter((name) => name in response)
      assert.ok(both.includes('id') && both.includes('status'), `${path} tells too little`)
      for (const name of both) assert.deepEqual(found.body[name], response[name], name)
    }
  }
}
