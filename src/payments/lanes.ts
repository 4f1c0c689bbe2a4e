// Payment requests have separate lanes: see docs/decisions/0007.

import { findAccounts } from '../accounts/find-accounts.ts'
import { writeDisputes } from '../disputes/dispute-set.ts'
import { queueEmails } from '../email/outbox.ts'
import { AccountLanes, type LaneOptions } from '../lanes/account-lanes.ts'
import { defineLane } from '../lanes/define-lane.ts'
import type { CommandEntry, CommandResult } from '../lanes/lane-entry.ts'
import { closedAtOf } from '../ledger/closings.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { applyClosings } from '../transactions/apply-closings.ts'
import { writeTransactions } from '../transactions/lanes.ts'
import type { PaymentCommand } from './commands.ts'
import { decidePayment } from './decide.ts'
import type { PaymentRow } from './payment.ts'
import { PaymentSet } from './payment-set.ts'
import {
  selectPayments,
  sendAttempts,
  sendNewPayments,
  sendPaymentChanges,
  sendPaymentLinks,
} from './queries.ts'

export type PaymentEntry = CommandEntry<PaymentCommand, PaymentRow>

export class PaymentLanes extends AccountLanes<PaymentEntry, CommandResult> {
  /** The base URL of links in responses and emails. */
  readonly public_url: string

  constructor(db: Db, public_url: string, options: LaneOptions = {}) {
    super(paymentLane(public_url)(db), options)
    this.public_url = public_url
  }
}

const paymentLane = (public_url: string) =>
  defineLane<PaymentCommand, PaymentRow, PaymentSet>({
    async read(tx, commands, locking) {
      const account_ids = new Set(commands.map(({ account_id }) => account_id))
      const named = commands.filter((command) => command.kind !== 'create')
      const [locked, stored, accounts] = await Promise.all([
        locking,
        named.length === 0 ? [] : selectPayments(tx, named),
        findAccounts(tx, [...account_ids]),
      ])
      const rows = applyClosings(stored, closedAtOf(locked.locks.values()))
      return new PaymentSet(locked, public_url, { rows, accounts })
    },
    decide: decidePayment,
    write: writePayments,
  })

/** Sends the payment requests of a set and their transactions; also used outside the lanes. */
export function writePayments(tx: Tx, set: PaymentSet): void {
  writeTransactions(tx, set.transactions)
  writeDisputes(tx, set.disputes)
  if (set.inserted.length > 0) {
    sendNewPayments(tx, set.inserted)
    sendPaymentLinks(tx, set.inserted)
  }
  if (set.changed.size > 0) sendPaymentChanges(tx, [...set.changed])
  if (set.attempts.length > 0) sendAttempts(tx, set.attempts)
  if (set.emails.length > 0) queueEmails(tx, set.emails)
}
