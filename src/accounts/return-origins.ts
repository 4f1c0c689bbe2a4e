// The origins to which the payment page may send customers back. Only the owner (or an admin) adds
// one, so a stolen API key cannot send customers to a foreign site.

import { recordAuditEntry } from '../audit/record-audit-entry.ts'
import { changeOnce } from '../idempotency/change-once.ts'
import {
  findActingAccount,
  getActingAccountId,
  lockOpenAccount,
  unknownActingAccount,
} from '../identity/acting-account.ts'
import type { Caller } from '../identity/caller.ts'
import { actorOf } from '../identity/sessions/actor.ts'
import type { Db, Queryable, Tx } from '../postgres/database.ts'
import type { CursorPage } from '../primitives/cursor.ts'
import { Refusal } from '../primitives/refusal.ts'
import { isLoopbackName } from '../server-urls.ts'
import { deleteReturnOrigin, insertReturnOrigin, selectReturnOrigins } from './queries.ts'

interface ReturnOrigin {
  origin: string
}

// Each page view with a return URL reads them all.
const origins_max = 20

/** Sorted by origin. */
export async function listReturnOrigins(db: Db, caller: Caller): Promise<CursorPage<ReturnOrigin>> {
  const account_id = await getActingAccountId(db, caller)
  const rows = await selectReturnOrigins(db, [account_id])
  return { object: 'list', data: rows.map(({ origin }) => ({ origin })), has_more: false }
}

/** Adding an origin again has no effect. `origin` is normalized by readOrigin. */
export function addReturnOrigin(db: Db, caller: Caller, origin: string): Promise<ReturnOrigin> {
  return change(db, caller, async (tx, account_id) => {
    const known = await selectReturnOrigins(tx, [account_id])
    if (known.some((one) => one.origin === origin)) return { origin }
    if (known.length >= origins_max) throw tooMany()
    await insertReturnOrigin(tx, account_id, origin)
    await recordChange(tx, caller, account_id, { action: 'account.return_origin_added', origin })
    return { origin }
  })
}

/** From the next page view on, no customer is sent there. */
export function removeReturnOrigin(db: Db, caller: Caller, origin: string): Promise<ReturnOrigin> {
  return change(db, caller, async (tx, account_id) => {
    if ((await deleteReturnOrigin(tx, account_id, origin)) === 0) throw notRegistered(origin)
    await recordChange(tx, caller, account_id, { action: 'account.return_origin_removed', origin })
    return { origin }
  })
}

async function change(
  db: Db,
  caller: Caller,
  work: (tx: Tx, account_id: string) => Promise<ReturnOrigin>,
): Promise<ReturnOrigin> {
  const account_id = findActingAccount(caller)
  if (account_id === undefined) throw unknownActingAccount(caller)
  return changeOnce(db, caller.idempotency, async (tx) => {
    await lockOpenAccount(tx, caller, account_id)
    return work(tx, account_id)
  })
}

// Recorded for owners too, unlike other changes: it decides where customers are sent.
async function recordChange(
  tx: Tx,
  caller: Caller,
  account_id: string,
  { action, origin }: { action: `account.return_origin_${'added' | 'removed'}`; origin: string },
): Promise<void> {
  const audit_entry = { action, object_id: account_id, account_id, details: { origin } }
  await recordAuditEntry(tx, actorOf(caller), audit_entry)
}

/** The registered origins of each of these accounts. */
export async function findReturnOrigins(
  db: Queryable,
  account_ids: string[],
): Promise<(account_id: string) => ReadonlySet<string>> {
  const rows = await selectReturnOrigins(db, account_ids)
  const by_account = Map.groupBy(rows, ({ account_id }) => account_id)
  return (account_id) => new Set(by_account.get(account_id)?.map(({ origin }) => origin))
}

/** The normalized origin. A lone `/` after it is dropped, because browsers show one. */
export function readOrigin(text: string, sandbox: boolean): string {
  const url = readReturnUrl('origin', text, sandbox)
  if (url.pathname !== '/' || /[?#]/.test(text)) {
    const rule = `without a path, query or fragment, such as ${url.origin}`
    throw invalidUrl('origin', `must be an origin, ${rule}`, text)
  }
  return url.origin
}

const example = 'https://shop.example.com'

/** An absolute https URL, or http to loopback in sandbox. Its origin is not checked here. */
export function readReturnUrl(field: string, text: string, sandbox: boolean): URL {
  // The parser accepts `https:shop` and `https:\\shop`, and drops white space.
  const url = /^https?:\/\/[^\s\\]+$/i.test(text) ? URL.parse(text) : null
  if (url === null || url.hostname === '') {
    throw invalidUrl(field, `must be an https URL such as ${example}`, text)
  }
  // Not repeated in the message, because it may contain a password.
  if (hasCredentials(url) || /^https?:\/\/[^/?#]*@/i.test(text)) {
    throw new Refusal('invalid_request', `"${field}" must not contain a user name or password.`)
  }
  if (url.hostname.endsWith('.')) {
    throw invalidUrl(field, 'must have a host name without a dot at the end', text)
  }
  if (!isSafeUrl(url, sandbox)) throw insecure(field, text, sandbox)
  return url
}

/** Whether a browser may be sent there, if the origin is registered. */
export function isSafeUrl(url: URL, sandbox: boolean): boolean {
  if (hasCredentials(url)) return false
  if (url.protocol === 'https:') return true
  return url.protocol === 'http:' && sandbox && isLoopbackName(url.hostname)
}

function hasCredentials({ username, password }: URL): boolean {
  return username !== '' || password !== ''
}

function insecure(field: string, text: string, sandbox: boolean): Refusal {
  const except = sandbox ? ', or be an http URL of this machine such as http://localhost:3000' : ''
  return invalidUrl(field, `must start with https://${except}`, text)
}

const shown_max = 100

export function invalidUrl(field: string, rule: string, text: string): Refusal {
  const shown = text.length > shown_max ? `${text.slice(0, shown_max)}…` : text
  return new Refusal('invalid_request', `"${field}" ${rule}; got "${shown}".`)
}

function tooMany(): Refusal {
  return new Refusal(
    'invalid_request',
    `An account can have at most ${origins_max} return origins. Delete one first.`,
  )
}

function notRegistered(origin: string): Refusal {
  return new Refusal(
    'not_found',
    `The account has no return origin "${origin}". ` +
      'GET /v1/account/return_origins lists its origins.',
  )
}
