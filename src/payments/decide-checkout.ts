// Decides the commands about checkouts. A checkout row exists before the provider is called, and
// the state of the provider enters through `apply` only.

import { applyDisputes } from '../disputes/apply-disputes.ts'
import type { AccountLock } from '../ledger/lock-row.ts'
import type { Charge, Snapshot, SnapshotState } from '../processors/provider.ts'
import type { ChargeRow } from '../transactions/charge.ts'
import { applyFee, applyRefunds } from '../transactions/charges.ts'
import type { TransactionRow } from '../transactions/transaction.ts'
import { abandonedAt, type CheckoutRow, isFinal, isUsable, nextCheck } from './checkout.ts'
import type {
  ApplyCommand,
  BeginCommand,
  CheckedCommand,
  OpenedCommand,
} from './checkout-commands.ts'
import { recordLatePayment, refundLatePayment, succeed } from './end-request.ts'
import type { PaymentRow } from './payment.ts'
import type { PaymentSet } from './payment-set.ts'
import { requireActive, requireOpen } from './require-open.ts'

/** The money belongs to no checkout of this server. Nothing is recorded. */
export class UnmatchedSnapshot extends Error {
  override name = 'UnmatchedSnapshot'
}

export function begin(set: PaymentSet, lock: AccountLock, command: BeginCommand): PaymentRow {
  const row = set.getRow(command)
  requireOpen(set, lock, row)
  requireActive(lock, 'to receive payments')
  const usable = set.checkoutsOf(row).filter(isUsable)
  // The payer has paid, and the money is on its way.
  if (usable.some(({ state }) => state === 'processing')) return row
  const reused = usable.find((one) => isReusable(one, command))
  const now = set.locked.timeOf(lock)
  for (const one of usable) {
    if (one !== reused) set.changeCheckout(one, { is_ending: true, check_at: now })
  }
  if (reused === undefined) set.addCheckout(newCheckout(row, command))
  return row
}

function isReusable(row: CheckoutRow, { provider, needed_until }: BeginCommand): boolean {
  const until = row.expires_at ?? abandonedAt(row)
  return row.provider === provider && until > needed_until
}

function newCheckout(
  { account_id, id: payment_id }: PaymentRow,
  { checkout_id: id, provider, language }: BeginCommand,
): CheckoutRow {
  return {
    account_id,
    id,
    payment_id,
    provider,
    provider_id: null,
    state: 'creating',
    url: null,
    language,
    expires_at: null,
    check_at: abandonedAt({ id }),
    checks: 0,
    is_ending: false,
  }
}

export function opened(set: PaymentSet, lock: AccountLock, command: OpenedCommand): PaymentRow {
  const row = set.getRow(command)
  const checkout = set.getCheckout(command)
  // A concurrent visit was faster, or the payer's snapshot.
  if (checkout.state !== 'creating') return row
  const now = set.locked.timeOf(lock)
  const open = { ...checkout, ...command.opened, state: 'open' } as const
  const check_at = checkout.is_ending ? now : nextCheck(open, now, false)
  set.changeCheckout(checkout, { ...command.opened, state: 'open', check_at })
  return row
}

export function checked(set: PaymentSet, lock: AccountLock, command: CheckedCommand): PaymentRow {
  const checkout = set.getCheckout(command)
  const checks = checkout.checks + 1
  // A concurrent visit may have opened it: then only a snapshot changes its state.
  const state = (checkout.state === 'creating' && command.to) || checkout.state
  const check_at = nextCheck({ ...checkout, checks, state }, set.locked.timeOf(lock), false)
  set.changeCheckout(checkout, { checks, state, check_at })
  return set.getRow(command)
}

/** The only way in which the state of a provider enters. Repeating it changes nothing. */
export function apply(set: PaymentSet, lock: AccountLock, command: ApplyCommand): PaymentRow {
  const row = set.getRow(command)
  const checkout = set.getCheckout(command)
  const { snapshot } = command
  requireMatch(lock, checkout, command)
  const charge = snapshot.charge && receiveCharge(set, lock, row, snapshot.charge, command)
  if (charge && snapshot.charge) {
    applyFee(set.transactions, lock, charge, snapshot.charge.fee)
    applyRefunds(set.transactions, lock, charge, snapshot.refunds)
    applyDisputes(set.disputes, lock, charge, snapshot.disputes)
  }
  advance(set, lock, checkout, snapshot)
  return row
}

function requireMatch(
  lock: AccountLock,
  checkout: CheckoutRow,
  { provider, snapshot }: ApplyCommand,
): void {
  const is_known = checkout.provider_id === null || checkout.provider_id === snapshot.provider_id
  if (is_known && checkout.provider === provider && snapshot.currency === lock.currency) return
  throw new UnmatchedSnapshot(`${provider} ${snapshot.provider_id} matches no checkout`)
}

/** The recorded charge. A new one pays the request, or is late. */
function receiveCharge(
  set: PaymentSet,
  lock: AccountLock,
  row: PaymentRow,
  charge: Charge,
  command: ApplyCommand,
): ChargeRow {
  const known = set.findCharge(command, charge.id)
  if (known !== undefined) return known
  const is_late = row.status !== 'pending' || charge.amount !== row.amount
  const payment = is_late ? recordLatePayment(set, row, charge.amount) : succeed(set, lock, row)
  const recorded = { ...chargeOf(payment, charge, command), is_late }
  set.transactions.insertCharge(recorded)
  if (is_late) {
    // Refunds that were made in the provider's dashboard count.
    applyRefunds(set.transactions, lock, recorded, command.snapshot.refunds)
    // A dispute returns the money itself.
    if (command.snapshot.disputes.length === 0) refundLatePayment(set, payment, command.late)
  }
  return recorded
}

function chargeOf(
  { account_id, id: transaction_id }: TransactionRow,
  { id: charge_id, amount, card }: Charge,
  { provider, checkout_id, snapshot }: ApplyCommand,
): Omit<ChargeRow, 'is_late'> {
  return {
    account_id,
    transaction_id,
    provider,
    charge_id,
    checkout_id,
    provider_id: snapshot.provider_id,
    amount,
    fee: null,
    is_disputed: false,
    card_brand: card?.brand ?? null,
    card_last4: card?.last4 ?? null,
  }
}

function advance(
  set: PaymentSet,
  lock: AccountLock,
  checkout: CheckoutRow,
  snapshot: Snapshot,
): void {
  const now = set.locked.timeOf(lock)
  const state = laterState(checkout.state, snapshot.state)
  const { provider_id } = snapshot
  const is_due = checkout.check_at !== null && checkout.check_at <= now
  const has_fee = snapshot.charge?.fee != null
  const is_settled = state === 'paid' && has_fee && checkout.check_at !== null
  if (state === checkout.state && checkout.provider_id !== null && !is_due && !is_settled) return
  // The checks of a paid checkout only wait for its fee.
  const checks = state === checkout.state ? checkout.checks + 1 : 0
  const check_at = nextCheck({ ...checkout, state, checks }, now, has_fee)
  set.changeCheckout(checkout, { provider_id, state, checks, check_at })
}

/** An older snapshot may follow a newer one: a final state stays, and paid always wins. */
function laterState(stored: CheckoutRow['state'], fetched: SnapshotState): CheckoutRow['state'] {
  return isFinal(stored) && fetched !== 'paid' ? stored : fetched
}
