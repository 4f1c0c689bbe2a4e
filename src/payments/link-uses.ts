// How often a reusable payment link is used. A pending request reserves a use, a paid one keeps it,
// and any other end returns it. Counted where requests are written, so every path that creates or
// ends a request counts.

import type { RowKey } from '../lanes/row-set.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import type { AccountRange, Difference } from '../postgres/difference.ts'
import { differences_max } from '../postgres/difference.ts'
import { toTypeId } from '../primitives/ids.ts'
import {
  insertLinkUses,
  type LinkUses,
  selectLinkUses,
  selectRequestOfForm,
  selectWrongUses,
  type WrongUses,
} from './link-queries.ts'
import type { PaymentRow, PaymentStatus } from './payment.ts'
import type { PaymentSet } from './payment-set.ts'

/** What the changes of a set add to the uses of each link. */
export function linkUseChanges({ inserted, changed }: PaymentSet): LinkUses[] {
  const changes = new Map<string, LinkUses>()
  const add = ({ account_id, link_id }: PaymentRow, status: PaymentStatus, by: 1 | -1) => {
    if (link_id === null || (status !== 'pending' && status !== 'succeeded')) return
    const key = account_id + link_id
    const change = changes.get(key) ?? { account_id, link_id, reserved: 0, paid: 0 }
    change[status === 'pending' ? 'reserved' : 'paid'] += by
    changes.set(key, change)
  }
  for (const row of inserted) add(row, row.status, 1)
  for (const [row, stored_status] of changed) {
    add(row, stored_status, -1)
    add(row, row.status, 1)
  }
  return [...changes.values()].filter(({ reserved, paid }) => reserved !== 0 || paid !== 0)
}

/** With a new link. */
export function openLinkUses(tx: Tx, link: RowKey): Promise<void> {
  return insertLinkUses(tx, link)
}

/** The request that was created for this form, unless it ended unpaid. */
export function findRequestOfForm(
  tx: Tx,
  account_id: string,
  form_key: string,
  now: Date,
): Promise<{ token: string } | undefined> {
  return selectRequestOfForm(tx, account_id, form_key, now)
}

/** The uses of these links, by id. */
export async function findLinkUses(
  db: Queryable,
  links: RowKey[],
): Promise<Map<string, { reserved: number; paid: number }>> {
  const rows = links.length === 0 ? [] : await selectLinkUses(db, links)
  return new Map(rows.map(({ link_id, reserved, paid }) => [link_id, { reserved, paid }]))
}

export async function verifyLinkUses(db: Queryable, range: AccountRange): Promise<Difference[]> {
  return (await selectWrongUses(db, range, differences_max)).map(usesDifference)
}

function usesDifference(wrong: WrongUses): Difference {
  const { reserved, paid, stored_reserved, stored_paid } = wrong
  return {
    rule: 'links_count_their_uses',
    account_id: toTypeId('account', wrong.account_id),
    object: toTypeId('payment_link', wrong.link_id),
    found: `${stored_reserved ?? 'no'} reserved and ${stored_paid ?? 'no'} paid uses`,
    expected: `${reserved} reserved and ${paid} paid uses, as its requests`,
  }
}
