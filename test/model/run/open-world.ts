// The initial state of a sequence: two accounts with their owners, a member, a read-only member, a
// user without an account, an admin and a platform user, each with a session. It is created with
// the server's own functions and one shared password hash, because hashing each password would take
// most of the time.

import { presentAccount } from '../../../src/accounts/account.ts'
import { addAccount as addRealAccount } from '../../../src/accounts/open-account.ts'
import { operator } from '../../../src/identity/sessions/actor.ts'
import { openSession as openRealSession } from '../../../src/identity/sessions/open-session.ts'
import { addUser } from '../../../src/identity/users/add-user.ts'
import { hashPassword } from '../../../src/identity/users/password.ts'
import { presentUser } from '../../../src/identity/users/user.ts'
import { lockAccountIfExists } from '../../../src/ledger/account-lock.ts'
import type { Tx } from '../../../src/postgres/database.ts'
import type { Florin } from '../../support/florin.ts'
import { newPassword, recordSecret } from '../../support/secrets.ts'
import { addAccount, showAccount } from '../accounts.ts'
import { openSession } from '../sessions.ts'
import { user_agent } from '../steps/people.ts'
import { unify } from '../unify.ts'
import { newPerson, showUser } from '../users.ts'
import type { Account, Person, Role, World } from '../world.ts'
import { expectEvent } from '../world.ts'
import { readCounts } from './read-back.ts'
import type { Server } from './server.ts'

const password = newPassword()
const password_hash = await hashPassword(password)
let number = 0

function emptyWorld(): World {
  number += 1
  // Long enough not to occur in any other text, and different in each process.
  const tag = `m${process.pid.toString(36)}x${number.toString(36)}z`
  const address = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`
  const lists = { people: [], reserved: [], accounts: [], sessions: [], transactions: [] }
  const more = { payments: [], subscriptions: [], keys: [], endpoints: [], stored_responses: [] }
  return { tag, address, turn: 0, before: {}, ...lists, ...more }
}

export async function openServer(florin: Florin): Promise<Server> {
  const world = emptyWorld()
  await florin.db.transaction((tx) => addPersonWithSession(tx, world, 'admin'))
  return { florin, root: world.sessions[0]!, outcome_counts: new Map() }
}

export async function openWorld(server: Server): Promise<World> {
  const world = emptyWorld()
  world.before = await readCounts(server, world)
  await server.florin.db.transaction(async (tx) => {
    const first = await openAccount(tx, world, 'one')
    await openAccount(tx, world, 'two')
    await addPersonWithSession(tx, world, 'member', first)
    await addPersonWithSession(tx, world, 'viewer', first)
    for (const role of ['lone', 'admin', 'platform'] as const)
      await addPersonWithSession(tx, world, role)
  })
  return world
}

async function openAccount(tx: Tx, world: World, name: string): Promise<Account> {
  const email = `owner-${name}-${world.tag}@example.com`
  const input = {
    email,
    name: `Account ${name}`,
    type: 'business',
    password,
    settings: {},
  } as const
  const person = { email, password, name: null }
  const owner = newPerson(world, 'owner', undefined, person)
  const account = addAccount(world, owner, input)
  const real = await addRealAccount(tx, operator, input, async (lock) => {
    const row = await addUser(tx, operator, lock, {
      email,
      name: null,
      password_hash,
      role: 'owner',
    })
    requireMatch(showUser(owner), presentUser(row))
    return row
  })
  requireMatch(showAccount(account), presentAccount(real))
  expectEvent(world, account, 'user.created', showUser(owner))
  await logInWithoutHashing(tx, world, owner, real.owner_id, real.id)
  return account
}

async function addPersonWithSession(
  tx: Tx,
  world: World,
  role: Role,
  account?: Account,
): Promise<void> {
  const who = { email: `${role}-${world.tag}@example.com`, name: null }
  const person = newPerson(world, role, account, { ...who, password })
  const id = account && account_uuids.get(account)
  const lock = id === undefined ? undefined : await lockAccountIfExists(tx, id)
  const row = await addUser(tx, operator, lock, { ...who, password_hash, role })
  requireMatch(showUser(person), presentUser(row))
  if (account) expectEvent(world, account, 'user.created', showUser(person))
  await logInWithoutHashing(tx, world, person, row.id, id ?? null)
}

const account_uuids = new WeakMap<Account, string>()

async function logInWithoutHashing(
  tx: Tx,
  world: World,
  person: Person,
  id: string,
  account_id: string | null,
): Promise<void> {
  if (person.account && account_id !== null) account_uuids.set(person.account, account_id)
  const origin = { address: world.address, user_agent }
  const user = { id, account_id, role: person.role, created_by_key_id: null }
  const tokens = await openRealSession(tx, user, origin)
  const session = openSession(world, person, user_agent)
  session.id.value = tokens.session_id
  session.access[0]!.value = recordSecret(tokens.access_token)
  session.refresh.value = recordSecret(tokens.refresh_token)
}

function requireMatch(expected: unknown, actual: unknown): void {
  const fault = unify(expected, actual)
  if (fault !== undefined) throw new Error(`the initial state differs: ${fault}`)
}
