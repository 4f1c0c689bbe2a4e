// Money that arrived by bank transfer. The entry of the bank statement is the charge, so repeating
// the command changes nothing.

import type { AccountLock } from '../ledger/lock-row.ts'
import type { ChargeRow } from '../transactions/charge.ts'
import type { TransactionRow } from '../transactions/transaction.ts'
import { recordLatePayment, refundLatePayment, succeed } from './end-request.ts'
import type { PaymentRow } from './payment.ts'
import type { PaymentSet } from './payment-set.ts'
import {
  surplusOf,
  type TransferCommand,
  TransferMismatch,
  transfer_provider,
} from './transfer-command.ts'

/**
 * An open request is paid by its amount or more. What is left over, and all other money, is
 * recorded as a late payment: the request has ended, or its amount was not reached.
 */
export function receiveTransfer(
  set: PaymentSet,
  lock: AccountLock,
  command: TransferCommand,
): PaymentRow {
  const row = set.getRow(command)
  const { amount, currency, charge_id } = command
  if (set.findCharge({ ...command, provider: transfer_provider }, charge_id)) return row
  const is_exact = row.status === 'pending' && row.amount === amount
  if (currency !== lock.currency || (command.accepts === 'exact' && !is_exact)) {
    throw new TransferMismatch(`${charge_id} does not match the payment request`)
  }
  const pays = row.status === 'pending' && amount >= row.amount
  if (pays) set.transactions.insertCharge(chargeOf(succeed(set, lock, row), charge_id, false))
  const rest = pays ? amount - row.amount : amount
  if (rest > 0) {
    const payment = recordLatePayment(set, row, rest)
    const rest_id = pays ? surplusOf(charge_id) : charge_id
    set.transactions.insertCharge(chargeOf(payment, rest_id, true))
    refundLatePayment(set, payment, command.late)
  }
  return row
}

function chargeOf(
  { account_id, id: transaction_id, amount }: TransactionRow,
  charge_id: string,
  is_late: boolean,
): ChargeRow {
  return {
    account_id,
    transaction_id,
    provider: transfer_provider,
    charge_id,
    checkout_id: null,
    provider_id: null,
    amount,
    // Banks charge for accounts, not for a transfer that arrives.
    fee: 0,
    is_disputed: false,
    is_late,
    card_brand: null,
    card_last4: null,
  }
}
