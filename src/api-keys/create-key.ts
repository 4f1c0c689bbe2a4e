// POST /v1/api_keys. The key is shown once, in this answer; what stays is its SHA-256 in tokens,
// where the one look-up of every request finds it.

import { recordAuditEntry } from '../audit/record-audit-entry.ts'
import { changeOnce } from '../idempotency/change-once.ts'
import { appendEvent, raiseLastAt, timeUnderLock } from '../ledger/account-lock.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { firstUuidAt, newUuid, timeOfUuid, uuidAfter } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { newSecret, sha256 } from '../primitives/secrets.ts'
import { actorOf } from '../sessions/actor.ts'
import type { Caller } from '../sessions/caller.ts'
import { addKeyToken } from '../sessions/key-tokens.ts'
import { lacksPermission, namesNoAccount, scopesOf } from '../sessions/permissions.ts'
import { type ApiKey, type KeyRow, presentKey } from './api-key.ts'
import { getKeyOwner, type KeyOwner, lockKeyOwner } from './key-owner.ts'
import { countKeysAfter, countLiveKeys, insertKey, selectNewestKeyId } from './queries.ts'

export interface KeyInput {
  name: string
  scopes: string[]
  role?: 'platform'
}

export interface KeyParts {
  db: Db
  mode: 'sandbox' | 'live'
}

// A key for each of many servers, and room to rotate them; a thousand would be a leak.
const live_keys_max = 100

// Revoked keys are kept, so that old entries of the request log still have a name.
const day_keys_max = 1_000
const day_ms = 86_400_000

export async function createApiKey(
  { db, mode }: KeyParts,
  caller: Caller,
  input: KeyInput,
): Promise<ApiKey & { key: string }> {
  requireRight(caller, input)
  // The body is judged before the account that the header names is looked for.
  const scopes = readScopes(input)
  const place = chooseKeyOwner(caller, input)
  const key = newSecret(`sk_${mode}_`)
  const made = (tx: Tx) => addKey(tx, caller, place, { name: input.name, scopes }, key)
  // Whoever reads the database must not find the key in the answer that is kept for a replay.
  return changeOnce(db, caller.idempotency, async (tx) => ({ ...(await made(tx)), key }), {
    sealed: true,
  })
}

/** What a caller may never ask for, whatever else the request says. */
function requireRight(caller: Caller, { role }: KeyInput): void {
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
    'A platform key belongs to no account. Send role without the Florin-Account header.',
  )
}

function readScopes({ scopes, role }: KeyInput): string[] {
  const known = scopesOf(role ?? 'account_key')
  const strange = scopes.find((scope) => !known.includes(scope))
  if (strange === undefined) return [...new Set(scopes)]
  const rule = `scopes must be some of ${known.join(', ')}; ${JSON.stringify(strange)} came`
  const for_platforms = scopesOf('platform').includes(strange)
  const reason = ', which only a platform key may have. An admin makes those, with role platform'
  throw new Refusal('invalid_request', `${rule}${for_platforms ? reason : ''}.`)
}

async function addKey(
  tx: Tx,
  caller: Caller,
  place: KeyOwner,
  { name, scopes }: { name: string; scopes: string[] },
  key: string,
): Promise<ApiKey> {
  const lock = await lockKeyOwner(tx, caller, place)
  // Only for making: a leaked key is revoked whatever the account's status, and a new one to put
  // in its place can wait until the account may be used again.
  if (lock !== undefined && lock.status !== 'active') throw notActive(lock.status)
  if ((await countLiveKeys(tx, place)) >= live_keys_max) throw tooMany()
  if (lock !== undefined) await requireFewToday(tx, lock)
  const newest = lock && (await selectNewestKeyId(tx, lock.account_id))
  const fresh = newUuid((lock === undefined ? tx.now : timeUnderLock(tx, lock)).getTime())
  const row: KeyRow = {
    id: uuidAfter(newest, fresh),
    account_id: place,
    user_id: caller.user_id,
    role: place === null ? 'platform' : 'account_key',
    name,
    scopes,
    last4: key.slice(-4),
    last_used_at: null,
    revoked_at: null,
  }
  await insertKey(tx, row)
  await addKeyToken(tx, { ...row, token_hash: sha256(key) })
  const shown = presentKey(row)
  if (lock !== undefined) {
    raiseLastAt(lock, timeOfUuid(row.id))
    await appendEvent(tx, lock, { type: 'api_key.created', object_id: row.id, data: shown })
  }
  await recordAuditEntry(tx, actorOf(caller), {
    action: 'api_key.created',
    object_id: row.id,
    account_id: place,
    details: { scopes },
  })
  return shown
}

function notActive(status: string): Refusal {
  return new Refusal(
    'invalid_request',
    `The account is ${status}, and only an active account gets new keys.`,
  )
}

async function requireFewToday(tx: Tx, lock: AccountLock): Promise<void> {
  const since = firstUuidAt(timeUnderLock(tx, lock).getTime() - day_ms)
  const made = await countKeysAfter(tx, lock.account_id, since, day_keys_max)
  if (made < day_keys_max) return
  throw new Refusal(
    'conflict',
    `An account creates at most ${day_keys_max} API keys in 24 hours. Use an existing one.`,
  )
}

function tooMany(): Refusal {
  return new Refusal(
    'conflict',
    `There are ${live_keys_max} keys already. Revoke one that is not needed any more.`,
  )
}
