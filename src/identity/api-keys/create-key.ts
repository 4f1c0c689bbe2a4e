// POST /v1/api_keys. Only this response contains the secret. Its SHA-256 is stored in `tokens`,
// where the lookup of every request finds it.

import { recordAuditEntry } from '../../audit/record-audit-entry.ts'
import { changeOnce } from '../../idempotency/change-once.ts'
import { appendEvent, raiseLastAt, timeUnderLock } from '../../ledger/account-lock.ts'
import type { AccountLock } from '../../ledger/lock-row.ts'
import type { Db, Tx } from '../../postgres/database.ts'
import { firstUuidAt, newUuid, timeOfUuid, uuidAfter } from '../../primitives/ids.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { newSecret, sha256 } from '../../primitives/secrets.ts'
import type { Caller } from '../caller.ts'
import { lacksPermission, namesNoAccount, scopesOf } from '../permissions.ts'
import { actorOf } from '../sessions/actor.ts'
import { addKeyToken } from '../sessions/key-tokens.ts'
import { type ApiKey, type KeyRow, presentKey } from './api-key.ts'
import { getKeyOwner, type KeyOwner, lockKeyOwner } from './key-owner.ts'
import { countKeysAfter, countLiveKeys, insertKey, selectNewestKeyId } from './queries.ts'

interface KeyInput {
  name: string
  scopes: string[]
  role?: 'platform'
}

interface KeyParts {
  db: Db
  mode: 'sandbox' | 'live'
}

// Enough for a key per server and for rotation.
const live_keys_max = 100

// Revoked keys are retained, so that old entries of the request log still have a name. This bounds
// how many an account can accumulate.
const day_keys_max = 1_000
const day_ms = 86_400_000

export async function createApiKey(
  { db, mode }: KeyParts,
  caller: Caller,
  input: KeyInput,
): Promise<ApiKey & { key: string }> {
  requireAllowed(caller, input)
  // The body is validated before the account in the header is looked up.
  const scopes = readScopes(input)
  const owner = chooseKeyOwner(caller, input)
  const key = newSecret(`sk_${mode}_`)
  const add = (tx: Tx) => addKey(tx, caller, owner, { name: input.name, scopes }, key)
  // Sealed, so that the stored response for replays does not contain the secret in plain text.
  return changeOnce(db, caller.idempotency, async (tx) => ({ ...(await add(tx)), key }), {
    sealed: true,
  })
}

function requireAllowed(caller: Caller, { role }: KeyInput): void {
  if (caller.role === 'admin') {
    const names_nothing = role === undefined && caller.header_account_id === undefined
    if (names_nothing) throw namesNoAccount(caller)
  } else if (role !== undefined) throw lacksPermission(caller, 'create_platform_key')
}

function chooseKeyOwner(caller: Caller, { role }: KeyInput): KeyOwner {
  if (role === undefined) return getKeyOwner(caller, false)
  if (getKeyOwner(caller, true) === null) return null
  throw new Refusal(
    'invalid_request',
    'A platform key does not belong to an account. Send "role" without the Florin-Account header.',
  )
}

function readScopes({ scopes, role }: KeyInput): string[] {
  const known = scopesOf(role ?? 'account_key')
  const unknown = scopes.find((scope) => !known.includes(scope))
  if (unknown === undefined) return [...new Set(scopes)]
  const rule = `"scopes" must be from ${known.join(', ')}; got ${JSON.stringify(unknown)}`
  const for_platforms = scopesOf('platform').includes(unknown)
  const hint = ', which only a platform key can have. An admin creates one with "role": "platform"'
  throw new Refusal('invalid_request', `${rule}${for_platforms ? hint : ''}.`)
}

async function addKey(
  tx: Tx,
  caller: Caller,
  owner: KeyOwner,
  { name, scopes }: { name: string; scopes: string[] },
  key: string,
): Promise<ApiKey> {
  const lock = await lockKeyOwner(tx, caller, owner)
  // Revocation has no such check: a leaked key can be revoked in any status of the account.
  if (lock !== undefined && lock.status !== 'active') throw notActive(lock.status)
  if ((await countLiveKeys(tx, owner)) >= live_keys_max) throw tooMany()
  if (lock !== undefined) await requireFewToday(tx, lock)
  const newest = lock && (await selectNewestKeyId(tx, lock.account_id))
  const fresh = newUuid((lock === undefined ? tx.now : timeUnderLock(tx, lock)).getTime())
  const row: KeyRow = {
    id: uuidAfter(newest, fresh),
    account_id: owner,
    user_id: caller.user_id,
    role: owner === null ? 'platform' : 'account_key',
    name,
    scopes,
    last4: key.slice(-4),
    last_used_at: null,
    revoked_at: null,
  }
  await insertKey(tx, row)
  await addKeyToken(tx, { ...row, token_hash: sha256(key) })
  const presented = presentKey(row)
  if (lock !== undefined) {
    raiseLastAt(lock, timeOfUuid(row.id))
    await appendEvent(tx, lock, { type: 'api_key.created', object_id: row.id, data: presented })
  }
  await recordAuditEntry(tx, actorOf(caller), {
    action: 'api_key.created',
    object_id: row.id,
    account_id: owner,
    details: { scopes },
  })
  return presented
}

function notActive(status: string): Refusal {
  return new Refusal(
    'invalid_request',
    `The account must be active to create API keys; it is ${status}.`,
  )
}

async function requireFewToday(tx: Tx, lock: AccountLock): Promise<void> {
  const since = firstUuidAt(timeUnderLock(tx, lock).getTime() - day_ms)
  const created = await countKeysAfter(tx, lock.account_id, since, day_keys_max)
  if (created < day_keys_max) return
  throw new Refusal(
    'conflict',
    `An account can create at most ${day_keys_max} API keys in 24 hours. Use an existing key.`,
  )
}

function tooMany(): Refusal {
  return new Refusal(
    'conflict',
    `There can be at most ${live_keys_max} active API keys. Revoke an unused key first.`,
  )
}
