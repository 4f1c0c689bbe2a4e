// The payment requests of a batch, their card attempts and the emails to send. A paid request
// creates a transaction, and both update the same locked balance row.

import type { AccountRow } from '../accounts/account.ts'
import { DisputeSet } from '../disputes/dispute-set.ts'
import type { Email } from '../email/email.ts'
import type { LockedAccounts } from '../lanes/locked-accounts.ts'
import { RowSet } from '../lanes/row-set.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { CardAttempt } from '../processors/processor.ts'
import { TransactionSet } from '../transactions/transaction-set.ts'
import type { AttemptRow } from './attempt.ts'
import { unknownPayment } from './commands.ts'
import { type PaymentRow, wholeJson } from './payment.ts'

interface LoadedPayments {
  rows?: PaymentRow[]
  /** For the emails: the name, language and time zone of the account. */
  accounts?: AccountRow[]
}

export class PaymentSet extends RowSet<PaymentRow> {
  readonly transactions: TransactionSet
  readonly disputes: DisputeSet
  readonly public_url: string
  readonly accounts: Map<string, AccountRow>
  readonly attempts: AttemptRow[] = []
  readonly emails: Email[] = []

  constructor(locked: LockedAccounts, public_url: string, loaded: LoadedPayments = {}) {
    const jsonOf = (row: PaymentRow) => wholeJson(row, public_url)
    super(locked, loaded.rows ?? [], { jsonOf, unknown: unknownPayment })
    this.transactions = new TransactionSet(locked)
    this.public_url = public_url
    this.accounts = new Map(loaded.accounts?.map((account) => [account.id, account]))
    this.disputes = new DisputeSet(this.transactions, this.accounts)
  }

  addAttempt(lock: AccountLock, row: PaymentRow, attempt: CardAttempt & { number: number }): void {
    const created_at = this.locked.timeOf(lock)
    this.attempts.push({
      account_id: row.account_id,
      payment_id: row.id,
      number: attempt.number,
      created_at,
      outcome: attempt.decline_code === null ? 'succeeded' : 'declined',
      decline_code: attempt.decline_code,
      card_brand: attempt.card.brand,
      card_last4: attempt.card.last4,
    })
    // Null for requests that predate stored attempts: their total is unknown.
    if (row.attempts !== null) row.attempts += 1
    this.locked.touch(lock, created_at)
  }

  override get changes(): number {
    return super.changes + this.emails.length + this.attempts.length
  }
}
