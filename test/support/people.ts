// People for tests: one of each role, made by the same functions that the server uses, each with a
// live session. Passwords are hashed for real, but nobody waits for a log-in.

import { openAccount } from '../../src/accounts/open-account.ts'
import { findAccountLock } from '../../src/ledger/account-lock.ts'
import type { Db } from '../../src/postgres/database.ts'
import { canonicalEmail } from '../../src/primitives/email.ts'
import { findUuid, toTypeId } from '../../src/primitives/ids.ts'
import { operator } from '../../src/sessions/actor.ts'
import { openSession } from '../../src/sessions/open-session.ts'
import { addUser } from '../../src/users/add-user.ts'
import { createAdmin } from '../../src/users/create-admin.ts'
import { signUp } from '../../src/users/create-user.ts'
import { findCredentials, lockUser } from '../../src/users/credentials.ts'
import { hashPassword } from '../../src/users/password.ts'
import { newPassword, noteSecret } from './secrets.ts'

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

const policy = { length_min: 8, refuse_common: false }
const origin = { address: '127.0.0.1', user_agent: 'test' }
let number = 0

export class People {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  admin(): Promise<Person> {
    return this.#staff('admin')
  }

  platform(): Promise<Person> {
    return this.#staff('platform')
  }

  async lone(): Promise<Person> {
    const who = credentials('lone')
    await signUp(this.#db, 'req_test', { ...who, name: null }, policy)
    return this.session(who)
  }

  async owner(): Promise<Owner> {
    const who = credentials('owner')
    const asker = { caller: undefined, request_id: 'req_test' }
    const input = { ...who, name: 'Acme Ltd', type: 'business' } as const
    const account = await openAccount(this.#db, asker, input, policy)
    return { ...(await this.session(who)), account_id: account.id }
  }

  async member(of: { account_id: string }): Promise<Person> {
    const who = credentials('member')
    const password_hash = await hashPassword(who.password)
    await this.#db.transaction(async (tx) => {
      const lock = await findAccountLock(tx, findUuid('account', of.account_id)!)
      const user = { email: who.email, name: 'A Member', password_hash, role: 'member' } as const
      return addUser(tx, operator, lock, user)
    })
    return this.session(who)
  }

  /** A new session for someone who exists. */
  async session(who: { email: string; password: string }): Promise<Person> {
    const found = await findCredentials(this.#db, canonicalEmail(who.email))
    const tokens = await this.#db.transaction(async (tx) => {
      const user = await lockUser(tx, found!.id)
      return { user: user!, ...(await openSession(tx, user!, origin)) }
    })
    noteSecret(tokens.access_token)
    noteSecret(tokens.refresh_token)

    return {
      ...who,
      id: toTypeId('user', tokens.user.id),
      token: tokens.access_token,
      refresh_token: tokens.refresh_token,
      session_id: tokens.session_id,
    }
  }

  async #staff(role: 'admin' | 'platform'): Promise<Person> {
    const who = credentials(role)
    await createAdmin(this.#db, who, role, policy)
    return this.session(who)
  }
}

export function credentials(role: string): { email: string; password: string } {
  number += 1
  return { email: `${role}-${process.pid}-${number}@example.com`, password: newPassword() }
}
