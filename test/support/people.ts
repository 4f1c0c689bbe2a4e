// Users for tests, one of each role, created with the server's own functions, each with a live
// session.

import { argon2Sync, randomBytes } from 'node:crypto'
import { addAccount } from '../../src/accounts/open-account.ts'
import { anonymous, operator } from '../../src/identity/sessions/actor.ts'
import { openSession } from '../../src/identity/sessions/open-session.ts'
import { addUser } from '../../src/identity/users/add-user.ts'
import { findCredentials, lockUser } from '../../src/identity/users/credentials.ts'
import { lockAccountIfExists } from '../../src/ledger/account-lock.ts'
import type { Db } from '../../src/postgres/database.ts'
import { canonicalEmail } from '../../src/primitives/email-address.ts'
import { findUuid, toTypeId } from '../../src/primitives/ids.ts'
import { lowest_cost } from './password-cost.ts'
import { newPassword, recordSecret } from './secrets.ts'

export interface Person {
  id: string
  email: string
  password: string
  token: string
  refresh_token: string
  session_id: string
}

export interface Owner extends Person {
  account_id: string
}

const anonymous_caller = anonymous('req_test')
const origin = { address: '127.0.0.1', user_agent: 'test' }
let number = 0

export class People {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  admin(): Promise<Person> {
    return this.#alone('admin')
  }

  platform(): Promise<Person> {
    return this.#alone('platform')
  }

  lone(): Promise<Person> {
    return this.#alone('lone')
  }

  async owner(): Promise<Owner> {
    const who = credentials('owner')
    const input = { email: who.email, name: 'Acme Ltd', type: 'business' } as const
    const account = await this.#db.transaction((tx) =>
      addAccount(tx, anonymous_caller, input, (lock) =>
        addUser(tx, anonymous_caller, lock, { ...newUser(who), role: 'owner' }),
      ),
    )
    return { ...(await this.session(who)), account_id: toTypeId('account', account.id) }
  }

  member(of: { account_id: string }): Promise<Person> {
    return this.#member(of, 'member')
  }

  viewer(of: { account_id: string }): Promise<Person> {
    return this.#member(of, 'viewer')
  }

  async #member(of: { account_id: string }, role: 'member' | 'viewer'): Promise<Person> {
    const who = credentials(role)
    await this.#db.transaction(async (tx) => {
      const lock = await lockAccountIfExists(tx, findUuid('account', of.account_id)!)
      const user = { ...newUser(who), name: 'A Member', role }
      return addUser(tx, operator, lock, user)
    })
    return this.session(who)
  }

  /** Opens a new session for an existing user. */
  async session(who: { email: string; password: string }): Promise<Person> {
    const found = await findCredentials(this.#db, canonicalEmail(who.email))
    const tokens = await this.#db.transaction(async (tx) => {
      const user = await lockUser(tx, found!.id)
      return { user: user!, ...(await openSession(tx, user!, origin)) }
    })
    recordSecret(tokens.access_token)
    recordSecret(tokens.refresh_token)

    return {
      ...who,
      id: toTypeId('user', tokens.user.id),
      token: tokens.access_token,
      refresh_token: tokens.refresh_token,
      session_id: tokens.session_id,
    }
  }

  async #alone(role: 'admin' | 'platform' | 'lone'): Promise<Person> {
    const who = credentials(role)
    const by = role === 'lone' ? anonymous_caller : operator
    await this.#db.transaction((tx) => addUser(tx, by, undefined, { ...newUser(who), role }))
    return this.session(who)
  }
}

function newUser({ email, password }: { email: string; password: string }) {
  return { email, name: null, password_hash: quickHash(password) }
}

function quickHash(password: string): string {
  const nonce = randomBytes(16)
  const tag = argon2Sync('argon2id', { ...lowest_cost, message: password, nonce, tagLength: 32 })
  const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=8,t=1,p=1$${base64(nonce)}$${base64(tag)}`
}

export function credentials(role: string): { email: string; password: string } {
  number += 1
  return { email: `${role}-${process.pid}-${number}@example.com`, password: newPassword() }
}
