// Creates admins and platform users. Only these functions do, and an existing user is never
// promoted.

import type { Actor } from '../../audit/record-audit-entry.ts'
import type { Db, Queryable } from '../../postgres/database.ts'
import { lockInstance } from '../../postgres/instance.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { newSecret, sha256 } from '../../primitives/secrets.ts'
import { anonymous, operator } from '../sessions/actor.ts'
import { addUser } from './add-user.ts'
import { type HashingClient, hashPassword } from './password.ts'
import { type PasswordPolicy, requireAcceptablePassword } from './password-policy.ts'
import { countAdmins, selectAdmins } from './queries.ts'
import {
  deleteExpiredSetupLinks,
  deleteSetupLinks,
  hasSetupLink,
  insertSetupLink,
  selectSetupLink,
} from './setup-queries.ts'
import { presentUser, type User } from './user.ts'

export interface AdminInput {
  email: string
  password: string
  name?: string | null
}

/** `florin admin create`. Shell access to the machine is the only requirement. */
export async function createAdmin(
  db: Db,
  input: AdminInput,
  role: 'admin' | 'platform',
  policy: PasswordPolicy,
): Promise<User> {
  return add(db, operator, input, role, policy, async () => {})
}

/** Creates the admin from the environment. Returns undefined if an admin already exists. */
export async function createFirstAdmin(
  db: Db,
  input: AdminInput,
  policy: PasswordPolicy,
): Promise<User | undefined> {
  if (await hasAdmin(db)) return undefined
  try {
    return await add(db, operator, input, 'admin', policy, requireNoAdmin)
  } catch (error) {
    // Another process that started concurrently has created the admin.
    if (await hasAdmin(db)) return undefined
    throw error
  }
}

const link_lifetime_ms = 3_600_000

/**
 * A token for /setup/{token}: single use, valid for one hour, only if there is no admin. It
 * replaces all others, unless it is `additional`.
 */
export async function createSetupLink(
  db: Db,
  { additional = false } = {},
): Promise<string | undefined> {
  const token = newSecret('')
  return db.transaction(async (tx) => {
    await lockInstance(tx)
    if ((await countAdmins(tx)) > 0) return undefined
    if (additional) await deleteExpiredSetupLinks(tx, new Date())
    else await deleteSetupLinks(tx)
    await insertSetupLink(tx, sha256(token), new Date(Date.now() + link_lifetime_ms))
    return token
  })
}

/** What the start page explains: an admin exists, or a link works, or none does. */
export async function findSetupState(db: Db): Promise<'done' | 'link' | 'no_link'> {
  if (await hasAdmin(db)) return 'done'
  return (await hasSetupLink(db, new Date())) ? 'link' : 'no_link'
}

export async function isSetupLink(db: Db, token: string): Promise<boolean> {
  return (await selectSetupLink(db, sha256(token), new Date())) && !(await hasAdmin(db))
}

export async function createAdminByLink(
  db: Db,
  request_id: string,
  token: string,
  input: AdminInput,
  policy: PasswordPolicy,
  client: HashingClient,
): Promise<User> {
  const check: Check = async (tx) => {
    await requireNoAdmin(tx)
    if (!(await selectSetupLink(tx, sha256(token), new Date()))) throw invalidLink()
    await deleteSetupLinks(tx)
  }
  return add(db, anonymous(request_id), input, 'admin', policy, check, client)
}

/** The first hundred. */
export function listAdmins(db: Queryable): Promise<{ id: string; email: string }[]> {
  return selectAdmins(db)
}

export async function hasAdmin(db: Db): Promise<boolean> {
  return (await countAdmins(db)) > 0
}

type Check = (tx: Parameters<Parameters<Db['transaction']>[0]>[0]) => Promise<void>

async function add(
  db: Db,
  actor: Actor,
  input: AdminInput,
  role: 'admin' | 'platform',
  policy: PasswordPolicy,
  check: Check,
  client?: HashingClient,
): Promise<User> {
  requireAcceptablePassword(input.password, policy, input.email)
  const password_hash = await hashPassword(input.password, client)
  const row = await db.transaction(async (tx) => {
    await lockInstance(tx)
    await check(tx)
    const user = { email: input.email, name: input.name ?? null, password_hash, role }
    return addUser(tx, actor, undefined, user)
  })
  return presentUser(row)
}

const requireNoAdmin: Check = async (tx) => {
  if ((await countAdmins(tx)) > 0) throw invalidLink()
}

function invalidLink(): Refusal {
  return new Refusal('not_found', 'This setup link is invalid, expired or already used.')
}
