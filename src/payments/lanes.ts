// Payment requests have separate lanes: see docs/decisions/0007.

import { findAccounts } from '../accounts/find-accounts.ts'
import { writeCustomers } from '../customers/find-customers.ts'
import type { DisputeRow } from '../disputes/dispute.ts'
import { loadDisputes, writeDisputes } from '../disputes/dispute-set.ts'
import { queueHourlyNotices } from '../email/notices.ts'
import { queueEmails } from '../email/outbox.ts'
import { AccountLanes, type LaneOptions } from '../lanes/account-lanes.ts'
import { defineLane } from '../lanes/define-lane.ts'
import type { CommandEntry, CommandResult } from '../lanes/lane-entry.ts'
import { closedAtOf } from '../ledger/closings.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { applyClosings } from '../transactions/apply-closings.ts'
import { type ChargeKey, loadCharges } from '../transactions/charges.ts'
import { writeTransactions } from '../transactions/lanes.ts'
import type { LoadedTransactions } from '../transactions/transaction-set.ts'
import type { CheckoutRow } from './checkout.ts'
import {
  selectCheckouts,
  selectUsableCheckouts,
  sendCheckouts,
  sendEndOfCheckouts,
} from './checkout-queries.ts'
import type { PaymentCommand } from './commands.ts'
import { decidePayment } from './decide.ts'
import { sendLinkUses } from './link-queries.ts'
import { linkUseChanges } from './link-uses.ts'
import type { PaymentRow } from './payment.ts'
import { PaymentSet } from './payment-set.ts'
import {
  selectPayments,
  sendAttempts,
  sendNewPayments,
  sendPaymentChanges,
  sendPaymentLinks,
} from './queries.ts'
import { paymentRequests } from './refunds.ts'
import { transfer_provider } from './transfer-command.ts'

export type PaymentEntry = CommandEntry<PaymentCommand, PaymentRow>

interface PaymentLaneOptions extends LaneOptions {
  /** Whether requests may have checkouts at a provider. */
  has_providers?: boolean
}

export class PaymentLanes extends AccountLanes<PaymentEntry, CommandResult> {
  /** The base URL of links in responses and emails. */
  readonly public_url: string

  constructor(
    db: Db,
    public_url: string,
    { has_providers = false, ...options }: PaymentLaneOptions = {},
  ) {
    super(paymentLane(public_url, has_providers)(db), options)
    this.public_url = public_url
  }
}

const paymentLane = (public_url: string, has_providers: boolean) =>
  defineLane<PaymentCommand, PaymentRow, PaymentSet>({
    async read(tx, commands, locking) {
      const account_ids = new Set(commands.map(({ account_id }) => account_id))
      const named = commands.filter((command) => command.kind !== 'create')
      const [locked, stored, accounts, checkouts, { disputes, ...charges }] = await Promise.all([
        locking,
        named.length === 0 ? [] : selectPayments(tx, named),
        findAccounts(tx, [...account_ids]),
        readCheckouts(tx, commands),
        readCharges(tx, commands, public_url),
      ])
      const closed = closedAtOf(locked.locks.values())
      const rows = applyClosings(stored, closed)
      const transactions = { ...charges, rows: applyClosings(charges.rows ?? [], closed) }
      const loaded = { rows, accounts, checkouts, transactions, disputes, has_providers }
      return new PaymentSet(locked, public_url, loaded)
    },
    decide: decidePayment,
    write: writePayments,
  })

async function readCheckouts(tx: Tx, commands: PaymentCommand[]): Promise<CheckoutRow[]> {
  const keys = commands.flatMap((command) =>
    'checkout_id' in command ? [{ account_id: command.account_id, id: command.checkout_id }] : [],
  )
  if (keys.length === 0) return []
  const begun = commands.filter((command) => command.kind === 'checkout')
  const [known, usable] = await Promise.all([
    selectCheckouts(tx, keys),
    begun.length === 0 ? [] : selectUsableCheckouts(tx, begun),
  ])
  return [...known, ...usable]
}

/** What snapshots need to know about charges that were recorded before. */
async function readCharges(
  tx: Tx,
  commands: PaymentCommand[],
  public_url: string,
): Promise<LoadedTransactions & { disputes: DisputeRow[] }> {
  const keys = commands.flatMap((command): ChargeKey[] => {
    const { account_id } = command
    if (command.kind === 'transfer') {
      return [{ account_id, provider: transfer_provider, charge_id: command.charge_id }]
    }
    if (command.kind !== 'apply' || command.snapshot.charge === null) return []
    const { provider, snapshot } = command
    return [{ account_id, provider, charge_id: snapshot.charge!.id }]
  })
  if (keys.length === 0) return { disputes: [] }
  const loaded = await loadCharges(tx, keys)
  const payments = loaded.charges.map(({ account_id, transaction_id: id }) => ({ account_id, id }))
  if (payments.length === 0) return { ...loaded, disputes: [] }
  const { prepareRefundEmails } = paymentRequests(public_url)
  const [disputes, queueRefundEmails] = await Promise.all([
    loadDisputes(tx, loaded.charges),
    prepareRefundEmails(tx, payments),
  ])
  return { ...loaded, disputes, queueRefundEmails }
}

/** Sends the payment requests of a set and their transactions; also used outside the lanes. */
export function writePayments(tx: Tx, set: PaymentSet): void {
  writeTransactions(tx, set.transactions)
  writeDisputes(tx, set.disputes)
  if (set.inserted.length > 0) {
    sendNewPayments(tx, set.inserted)
    sendPaymentLinks(tx, set.inserted)
    // A subscription has its first request in the same batch, so this covers subscriptions too.
    writeCustomers(tx, set.inserted)
  }
  if (set.changed.size > 0) sendPaymentChanges(tx, [...set.changed])
  const uses = linkUseChanges(set)
  if (uses.length > 0) sendLinkUses(tx, uses)
  if (set.attempts.length > 0) sendAttempts(tx, set.attempts)
  if (set.emails.length > 0) queueEmails(tx, set.emails)
  queueHourlyNotices(tx, set.notices)
  writeCheckouts(tx, set)
}

function writeCheckouts(tx: Tx, set: PaymentSet): void {
  if (set.checkouts_touched.size > 0) sendCheckouts(tx, [...set.checkouts_touched])
  if (!set.has_providers) return
  // After the changes: a checkout that has paid its request has ended already.
  const ended = [...set.changed.keys()].filter(({ status }) => status !== 'pending')
  if (ended.length > 0) sendEndOfCheckouts(tx, ended)
}
