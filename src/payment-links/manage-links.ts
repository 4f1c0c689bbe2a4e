// Creates, updates, lists and retrieves the payment links of an account.

import { findAccounts } from '../accounts/find-accounts.ts'
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
import { appendEvent, timeUnderLock } from '../ledger/account-lock.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import { findLinkUses, openLinkUses } from '../payments/link-uses.ts'
import { endOfDay, isDate } from '../payments/request-options.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { type CursorPage, type CursorQuery, pageByCursor } from '../primitives/cursor.ts'
import { findUuid, newUuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { newSecret } from '../primitives/secrets.ts'
import { quote } from '../primitives/text.ts'
import { parseTimestamp, toIso } from '../primitives/time.ts'
import { type Metadata, mergeMetadata, metadataText } from '../transactions/metadata.ts'
import { type LinkRow, no_uses, type PaymentLink, presentLink } from './payment-link.ts'
import { countLinks, insertLink, selectLink, selectLinkPage, updateLink } from './queries.ts'

interface Parts {
  db: Db
  public_url: string
}

interface LinkChanges {
  title?: string
  max_uses?: number | null
  expires_at?: string | null
  active?: boolean
  metadata?: Metadata | null
}

interface LinkInput extends LinkChanges {
  title: string
  amount?: number | null
  amount_min?: number | null
  amount_max?: number | null
  amount_suggested?: number | null
}

// Far more than a business shares, and few enough to count.
const links_max = 1_000

// 96 bits: cannot be guessed, and short enough to print.
const slug_length = 16

export async function createLink(
  { db, public_url }: Parts,
  caller: Caller,
  input: LinkInput,
): Promise<PaymentLink> {
  const amounts = readAmounts(input)
  const account_id = findActingAccount(caller)
  if (account_id === undefined) throw unknownActingAccount(caller)
  return changeOnce(db, caller.idempotency, async (tx) => {
    const lock = await lockOpenAccount(tx, caller, account_id)
    const at = timeUnderLock(tx, lock)
    const row: LinkRow = {
      account_id,
      id: newUuid(at.getTime()),
      slug: newSecret('').slice(0, slug_length),
      title: input.title,
      currency: lock.currency,
      ...amounts,
      max_uses: input.max_uses ?? null,
      expires_at: (await readExpiry(tx, lock, input.expires_at)) ?? null,
      active: input.active ?? true,
      metadata: metadataText(input.metadata),
      updated_at: at,
    }
    if ((await countLinks(tx, account_id)) >= links_max) throw tooManyLinks()
    await insertLink(tx, row)
    await openLinkUses(tx, row)
    const link = presentLink(row, no_uses, public_url)
    await record(tx, caller, lock, row, link, 'created')
    return link
  })
}

/** Changes the fields sent. */
export async function updatePaymentLink(
  { db, public_url }: Parts,
  caller: Caller,
  link_id: string,
  changes: LinkChanges,
): Promise<PaymentLink> {
  const id = readLinkId(link_id)
  const account_id = findActingAccount(caller)
  if (account_id === undefined) throw unknownActingAccount(caller)
  return changeOnce(db, caller.idempotency, async (tx) => {
    const lock = await lockOpenAccount(tx, caller, account_id)
    const at = timeUnderLock(tx, lock)
    const stored = await selectLink(tx, { account_id, id })
    if (stored === undefined) throw unknownLink()
    const { expires_at, metadata, ...others } = changes
    const expiry = await readExpiry(tx, lock, expires_at)
    const row: LinkRow = { ...stored, ...others, updated_at: at }
    if (expiry !== undefined) row.expires_at = expiry
    if (metadata !== undefined) row.metadata = mergeMetadata(stored.metadata, metadata)
    await updateLink(tx, row)
    const uses = (await findLinkUses(tx, [row])).get(id) ?? no_uses
    const link = presentLink(row, uses, public_url)
    await record(tx, caller, lock, row, link, 'updated')
    return link
  })
}

async function record(
  tx: Tx,
  caller: Caller,
  lock: AccountLock,
  { account_id, id }: LinkRow,
  data: PaymentLink,
  change: 'created' | 'updated',
): Promise<void> {
  await appendEvent(tx, lock, { type: `payment_link.${change}`, object_id: id, data })
  if (caller.role !== 'admin') return
  const action = `payment_link.${change}` as const
  await recordAuditEntry(tx, actorOf(caller), { action, object_id: id, account_id, details: {} })
}

export async function getLink(
  { db, public_url }: Parts,
  caller: Caller,
  link_id: string,
): Promise<PaymentLink> {
  const id = readLinkId(link_id)
  const account_id = await getActingAccountId(db, caller)
  const row = await selectLink(db, { account_id, id })
  if (row === undefined) throw unknownLink()
  const uses = await findLinkUses(db, [row])
  return presentLink(row, uses.get(id) ?? no_uses, public_url)
}

export async function listLinks(
  { db, public_url }: Parts,
  caller: Caller,
  query: CursorQuery,
): Promise<CursorPage<PaymentLink>> {
  const account_id = await getActingAccountId(db, caller)
  const page = await pageByCursor(query, 'payment_link', {
    exists: async (id) => (await selectLink(db, { account_id, id })) !== undefined,
    select: (range) => selectLinkPage(db, account_id, range),
  })
  const uses = await findLinkUses(db, page.data)
  const data = page.data.map((row) => presentLink(row, uses.get(row.id) ?? no_uses, public_url))
  return { ...page, data }
}

/** The UUID in a payment link id. Malformed ids are reported as unknown. */
export function readLinkId(text: string): string {
  const id = findUuid('payment_link', text)
  if (id === undefined) throw unknownLink()
  return id
}

function unknownLink(): Refusal {
  return new Refusal('not_found', 'No payment link with this id exists.')
}

function tooManyLinks(): Refusal {
  return new Refusal(
    'invalid_request',
    `An account can have at most ${links_max} payment links. Update an existing one instead.`,
  )
}

type Amounts = Pick<LinkRow, 'amount' | 'amount_min' | 'amount_max' | 'amount_suggested'>

const no_bounds = { amount_min: null, amount_max: null, amount_suggested: null }

function readAmounts(input: LinkInput): Amounts {
  const { amount, amount_min, amount_max, amount_suggested = null } = input
  const bounds = [amount_min, amount_max, amount_suggested]
  if (amount != null) {
    if (bounds.every((bound) => bound == null)) return { amount, ...no_bounds }
    throw invalid('Send either "amount" or "amount_min" and "amount_max", not both.')
  }
  if (amount_min == null || amount_max == null) {
    throw invalid('Send "amount", or "amount_min" and "amount_max" to let the payer choose.')
  }
  if (amount_min > amount_max) {
    const got = `got ${amount_max} and ${amount_min}`
    throw invalid(`"amount_max" must not be less than "amount_min"; ${got}.`)
  }
  const suggested = amount_suggested ?? amount_min
  if (suggested < amount_min || suggested > amount_max) {
    const range = `from ${amount_min} to ${amount_max}`
    throw invalid(`"amount_suggested" must be ${range}; got ${amount_suggested}.`)
  }
  return { amount: null, amount_min, amount_max, amount_suggested }
}

/** Undefined if it was not sent. A date ends with its day in the account's time zone. */
async function readExpiry(
  tx: Tx,
  lock: AccountLock,
  text: string | null | undefined,
): Promise<Date | null | undefined> {
  if (text == null) return text
  const at = isDate(text) ? await endOfDayOf(tx, lock, text) : parseTimestamp(text, 'last')
  if (at === undefined) throw new Error('expires_at was not validated')
  const now = timeUnderLock(tx, lock)
  if (at > now) return at
  throw invalid(`"expires_at" must be after ${toIso(now)}; got ${quote(text)}.`)
}

async function endOfDayOf(tx: Tx, { account_id }: AccountLock, date: string): Promise<Date> {
  const [account] = await findAccounts(tx, [account_id])
  return endOfDay(date, account!.timezone)
}

function invalid(message: string): Refusal {
  return new Refusal('invalid_request', message)
}
