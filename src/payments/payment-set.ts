// The payment requests of a batch, their checkouts and card attempts, and the emails to send. A
// paid request creates a transaction, and both update the same locked balance row.

import type { AccountRow } from '../accounts/account.ts'
import type { DisputeRow } from '../disputes/dispute.ts'
import { DisputeSet } from '../disputes/dispute-set.ts'
import type { Email } from '../email/email.ts'
import type { HourlyNotice } from '../email/notices.ts'
import type { LockedAccounts } from '../lanes/locked-accounts.ts'
import { type RowKey, RowSet, rowKey } from '../lanes/row-set.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { CardAttempt } from '../processors/processor.ts'
import type { ChargeRow } from '../transactions/charge.ts'
import { type LoadedTransactions, TransactionSet } from '../transactions/transaction-set.ts'
import type { AttemptRow } from './attempt.ts'
import type { CheckoutRow } from './checkout.ts'
import { unknownPayment } from './commands.ts'
import { type PaymentRow, wholeJson } from './payment.ts'

interface LoadedPayments {
  rows?: PaymentRow[]
  /** For the emails: the name, language and time zone of the account. */
  accounts?: AccountRow[]
  checkouts?: CheckoutRow[]
  /** The charges that snapshots are about. */
  transactions?: LoadedTransactions
  disputes?: DisputeRow[]
  /** Whether requests may have checkouts, which end with their request. */
  has_providers?: boolean
}

export class PaymentSet extends RowSet<PaymentRow> {
  readonly transactions: TransactionSet
  readonly disputes: DisputeSet
  readonly public_url: string
  readonly accounts: Map<string, AccountRow>
  readonly attempts: AttemptRow[] = []
  readonly emails: Email[] = []
  /** To the owners of the accounts. */
  readonly notices: HourlyNotice[] = []
  readonly checkouts: Map<string, CheckoutRow>
  /** New and changed ones, in the order of their first change. */
  readonly checkouts_touched = new Set<CheckoutRow>()
  readonly has_providers: boolean

  constructor(locked: LockedAccounts, public_url: string, loaded: LoadedPayments = {}) {
    const jsonOf = (row: PaymentRow) => wholeJson(row, public_url)
    super(locked, loaded.rows ?? [], { jsonOf, unknown: unknownPayment })
    this.transactions = new TransactionSet(locked, loaded.transactions)
    this.public_url = public_url
    this.accounts = new Map(loaded.accounts?.map((account) => [account.id, account]))
    this.disputes = new DisputeSet(this.transactions, this.accounts, loaded.disputes)
    this.checkouts = new Map(
      loaded.checkouts?.map((checkout) => [rowKey(checkout.account_id, checkout.id), checkout]),
    )
    this.has_providers = loaded.has_providers ?? false
  }

  getCheckout({ account_id, checkout_id }: { account_id: string; checkout_id: string }) {
    const checkout = this.checkouts.get(rowKey(account_id, checkout_id))
    if (checkout === undefined) throw new Error(`checkout ${checkout_id} was not loaded`)
    return checkout
  }

  /** Those that were loaded. */
  checkoutsOf({ account_id, id }: RowKey): CheckoutRow[] {
    const all = [...this.checkouts.values()]
    return all.filter((one) => one.account_id === account_id && one.payment_id === id)
  }

  addCheckout(checkout: CheckoutRow): void {
    this.checkouts.set(rowKey(checkout.account_id, checkout.id), checkout)
    this.checkouts_touched.add(checkout)
  }

  changeCheckout(checkout: CheckoutRow, changes: Partial<CheckoutRow>): void {
    this.checkouts_touched.add(Object.assign(checkout, changes))
  }

  /** The recorded charge with this id of the provider. */
  findCharge(
    { account_id, provider }: Pick<ChargeRow, 'account_id' | 'provider'>,
    charge_id: string,
  ): ChargeRow | undefined {
    return this.transactions.charges
      .values()
      .find(
        (one) =>
          one.account_id === account_id && one.provider === provider && one.charge_id === charge_id,
      )
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
