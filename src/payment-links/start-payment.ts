// Creates the payment request of a payer who submits the page of a link. The account lock is held
// from the check of the uses until the commit, so `max_uses` is never exceeded.

import { findAccounts } from '../accounts/find-accounts.ts'
import { writeChanges } from '../lanes/define-lane.ts'
import { LockedAccounts } from '../lanes/locked-accounts.ts'
import type { RowKey } from '../lanes/row-set.ts'
import { lockAccountIfExists, timeUnderLock } from '../ledger/account-lock.ts'
import { decidePayment } from '../payments/decide.ts'
import { writePayments } from '../payments/lanes.ts'
import { findLinkUses, findRequestOfForm } from '../payments/link-uses.ts'
import { PaymentSet } from '../payments/payment-set.ts'
import type { Db, Queryable, Tx } from '../postgres/database.ts'
import { toTypeId } from '../primitives/ids.ts'
import { newSecret } from '../primitives/secrets.ts'
import { type LinkEnd, type LinkRow, linkEnd, no_uses, type Uses } from './payment-link.ts'
import { selectLink, selectLinkOfSlug } from './queries.ts'

interface FoundLink {
  row: LinkRow
  uses: Uses
}

const slugShape = /^[A-Za-z0-9_-]{16}$/

export async function findLinkBySlug(db: Queryable, slug: string): Promise<FoundLink | undefined> {
  const key = slugShape.test(slug) ? await selectLinkOfSlug(db, slug) : undefined
  return key && findLink(db, key)
}

export async function findLink(db: Queryable, key: RowKey): Promise<FoundLink | undefined> {
  const row = await selectLink(db, key)
  if (row === undefined) return undefined
  const uses = (await findLinkUses(db, [key])).get(key.id) ?? no_uses
  return { row, uses }
}

interface Payer {
  customer_email: string
  /** Within the bounds of the link. */
  amount: number
  /** Identifies the submitted form and its content. */
  form_key: string
  /** How long the use is reserved. */
  expires_after_ms: number
}

type StartedPayment = { token: string } | { end: LinkEnd }

export async function startPayment(
  { db, public_url }: { db: Db; public_url: string },
  link: LinkRow,
  payer: Payer,
): Promise<StartedPayment> {
  return db.transaction((tx) => start(tx, link, payer, public_url))
}

async function start(
  tx: Tx,
  { account_id, id }: LinkRow,
  payer: Payer,
  public_url: string,
): Promise<StartedPayment> {
  const lock = await lockAccountIfExists(tx, account_id)
  const found = await findLink(tx, { account_id, id })
  if (lock === undefined || found === undefined) return { end: 'ended' }
  const now = timeUnderLock(tx, lock)
  const earlier = await findRequestOfForm(tx, account_id, payer.form_key, now)
  if (earlier !== undefined) return earlier
  const end = linkEnd(found.row, found.uses, lock, now)
  if (end !== undefined) return { end }
  const accounts = await findAccounts(tx, [account_id])
  const set = new PaymentSet(new LockedAccounts(tx.now, [lock]), public_url, { accounts })
  const { token } = decidePayment(set, {
    kind: 'create',
    account_id,
    amount: payer.amount,
    currency: lock.currency,
    customer_email: payer.customer_email,
    reference: found.row.title,
    metadata: metadataOf(found.row),
    token: newSecret(''),
    options: {
      expires: { after_ms: payer.expires_after_ms },
      message: null,
      reminder_days: 0,
      is_emailed: false,
      link_id: id,
      form_key: payer.form_key,
    },
  })
  writeChanges(tx, set, writePayments)
  return { token }
}

function metadataOf({ id, metadata }: LinkRow): string {
  const own = JSON.parse(metadata ?? '{}') as object
  return JSON.stringify({ ...own, payment_link: toTypeId('payment_link', id) })
}
