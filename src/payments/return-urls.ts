// Where the payment page sends the customer back to. The origin of each URL is checked twice: when
// the URL is set, and each time the page uses it, because the owner may have removed the origin.

import {
  findReturnOrigins,
  invalidUrl,
  isSafeUrl,
  readReturnUrl,
} from '../accounts/return-origins.ts'
import { recordAuditEntry } from '../audit/record-audit-entry.ts'
import { changeOnce } from '../idempotency/change-once.ts'
import type { Caller } from '../identity/caller.ts'
import { actorOf } from '../identity/sessions/actor.ts'
import { requireLiveToken } from '../identity/sessions/require-live-token.ts'
import type { RowKey } from '../lanes/row-set.ts'
import { lockAccountIfExists, timeUnderLock } from '../ledger/account-lock.ts'
import { coalesce } from '../postgres/coalesce.ts'
import type { Db, Queryable, Tx } from '../postgres/database.ts'
import { toTypeId } from '../primitives/ids.ts'
import { Refusal, tooBusy } from '../primitives/refusal.ts'
import { asClosed } from '../transactions/apply-closings.ts'
import { unknownPayment } from './commands.ts'
import { type FindPayment, getPayment } from './find-payment.ts'
import type { PaymentRow } from './payment.ts'
import { selectPayments } from './queries.ts'
import { type ReturnRow, selectReturns, upsertReturns } from './return-queries.ts'

export interface ReturnUrls {
  return_url: string | null
  cancel_url: string | null
}

interface PaymentReturns extends ReturnUrls {
  id: string
}

const none: ReturnUrls = { return_url: null, cancel_url: null }

// The page appends it, and a second one could hide it from the site's own code.
const parameter = 'payment_id'

const url_length_max = 2_048

/** Validates the body before any lookup. The result has the parser's normalized form. */
export function readReturnUrls(input: Partial<ReturnUrls>, sandbox: boolean): Partial<ReturnUrls> {
  const given = Object.entries(input).map(([field, text]) => [
    field,
    text === null ? null : readUrl(field, text, sandbox),
  ])
  return Object.fromEntries(given)
}

function readUrl(field: string, text: string, sandbox: boolean): string {
  const url = readReturnUrl(field, text, sandbox)
  if (url.searchParams.has(parameter)) {
    throw invalidUrl(field, `must not have the parameter "${parameter}", which is appended`, text)
  }
  if (url.href.length > url_length_max) {
    throw invalidUrl(field, `must have at most ${url_length_max} characters when encoded`, text)
  }
  return url.href
}

export async function getReturnUrls(
  db: Db,
  find: FindPayment,
  caller: Caller,
  payment_id: string,
): Promise<PaymentReturns> {
  const row = await getPayment(find, caller, payment_id)
  return present(row, await findStored(db, row))
}

/** `changes` are the result of readReturnUrls. A field that is left out keeps its value. */
export async function updateReturnUrls(
  { db, findPayment }: { db: Db; findPayment: FindPayment },
  caller: Caller,
  payment_id: string,
  changes: Partial<ReturnUrls>,
): Promise<PaymentReturns> {
  const found = await getPayment(findPayment, caller, payment_id)
  return changeOnce(db, caller.idempotency, async (tx) => {
    const row = await lockOpenRequest(tx, caller, found)
    const urls = { ...(await findStored(tx, row)), ...changes }
    await requireRegistered(tx, row.account_id, changes)
    await upsertReturns(tx, { account_id: row.account_id, payment_id: row.id, ...urls })
    if (caller.role === 'admin') {
      const audit_entry = { object_id: row.id, account_id: row.account_id, details: changes }
      await recordAuditEntry(tx, actorOf(caller), { action: 'payment.updated', ...audit_entry })
    }
    return present(row, urls)
  })
}

async function lockOpenRequest(tx: Tx, caller: Caller, key: RowKey): Promise<PaymentRow> {
  const lock = await lockAccountIfExists(tx, key.account_id)
  await requireLiveToken(tx, caller)
  const [stored] = await selectPayments(tx, [key])
  if (lock === undefined || stored === undefined) throw unknownPayment()
  const row = asClosed(stored, lock.status === 'closed' ? tx.now : null)
  const is_expired = row.expires_at <= timeUnderLock(tx, lock)
  if (row.status === 'pending' && !is_expired) return row
  const state = row.status === 'pending' ? 'expired' : row.status
  throw new Refusal(
    'conflict',
    `Only a pending payment request can be updated; this one is ${state}. Create a new one.`,
  )
}

async function requireRegistered(
  tx: Tx,
  account_id: string,
  urls: Partial<ReturnUrls>,
): Promise<void> {
  const origins = (await findReturnOrigins(tx, [account_id]))(account_id)
  for (const [field, url] of Object.entries(urls)) {
    const origin = url === null ? undefined : new URL(url).origin
    if (origin === undefined || origins.has(origin)) continue
    throw new Refusal(
      'invalid_request',
      `"${field}" must have one of the account's return origins; got "${origin}". ` +
        'The account owner adds an origin with POST /v1/account/return_origins.',
    )
  }
}

async function findStored(db: Queryable, key: RowKey): Promise<ReturnUrls> {
  const [row] = await selectReturns(db, [key])
  return row === undefined ? none : { return_url: row.return_url, cancel_url: row.cancel_url }
}

function present({ id }: RowKey, { return_url, cancel_url }: ReturnUrls): PaymentReturns {
  return { id: toTypeId('payment', id), return_url, cancel_url }
}

type FindReturnUrls = (key: RowKey) => Promise<ReturnUrls>

/**
 * For the payment page: the URLs that may be used now, with the id of the request. A URL whose
 * origin is no longer registered is null. Concurrent lookups share one statement.
 */
export function returnUrlFinder(db: Db, sandbox: boolean): FindReturnUrls {
  const limits = { batch_max: 256, queue_max: 4_096 }
  const find = coalesce((keys: RowKey[]) => findUsable(db, keys, sandbox), limits, tooBusy)
  return async (key) => (await find(key)) ?? none
}

async function findUsable(
  db: Db,
  keys: RowKey[],
  sandbox: boolean,
): Promise<(ReturnUrls | undefined)[]> {
  const rows = await selectReturns(db, keys)
  if (rows.length === 0) return keys.map(() => undefined)
  const account_ids = [...new Set(rows.map(({ account_id }) => account_id))]
  const originsOf = await findReturnOrigins(db, account_ids)
  const usable = new Map(
    rows.map((row) => [row.account_id + row.payment_id, usableUrls(row, originsOf, sandbox)]),
  )
  return keys.map(({ account_id, id }) => usable.get(account_id + id))
}

function usableUrls(
  { account_id, payment_id, return_url, cancel_url }: ReturnRow,
  originsOf: (account_id: string) => ReadonlySet<string>,
  sandbox: boolean,
): ReturnUrls {
  const origins = originsOf(account_id)
  const use = (href: string | null) => {
    const url = href === null ? null : URL.parse(href)
    if (url === null || !origins.has(url.origin) || !isSafeUrl(url, sandbox)) return null
    return withPaymentId(url, payment_id)
  }
  return { return_url: use(return_url), cancel_url: use(cancel_url) }
}

// As text, because URLSearchParams would encode the rest of the query differently.
function withPaymentId(url: URL, payment_id: string): string {
  const before = url.search === '' ? '?' : `${url.search}&`
  url.search = `${before}${parameter}=${toTypeId('payment', payment_id)}`
  return url.href
}
