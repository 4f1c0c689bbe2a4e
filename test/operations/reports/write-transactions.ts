// Writes a history of one account with the functions that decide real requests, at the given times,
// which must not decrease.

import { findAccounts } from '../../../src/accounts/find-accounts.ts'
import { writeChanges } from '../../../src/lanes/define-lane.ts'
import { LockedAccounts } from '../../../src/lanes/locked-accounts.ts'
import { lockBalances } from '../../../src/ledger/write-ledger.ts'
import { attemptCommand } from '../../../src/payments/commands.ts'
import { decidePayment } from '../../../src/payments/decide.ts'
import { writePayments } from '../../../src/payments/lanes.ts'
import { PaymentSet } from '../../../src/payments/payment-set.ts'
import type { Db } from '../../../src/postgres/database.ts'
import { findUuid, timeOfUuid } from '../../../src/primitives/ids.ts'
import { newSecret } from '../../../src/primitives/secrets.ts'
import { decide } from '../../../src/transactions/decide.ts'
import type { TransactionSet } from '../../../src/transactions/transaction-set.ts'
import type { VolumeRow } from './expected-volume.ts'

/** Returns the rows with their actual times: an id can use the next millisecond. */
export async function writeTransactions(
  db: Db,
  account_id: string,
  rows: VolumeRow[],
): Promise<VolumeRow[]> {
  const id = findUuid('account', account_id)!
  return db.transaction(async (tx) => {
    const locks = await lockBalances(tx, [id])
    const accounts = await findAccounts(tx, [id])
    const locked = new LockedAccounts(tx.now, locks)
    const payments = new PaymentSet(locked, 'https://pay.example.com', { accounts })
    const written = rows.map((row) => ({
      ...row,
      at_ms:
        row.status === 'declined'
          ? decline(payments, id, row)
          : play(payments.transactions, id, row),
    }))
    // The emails are not needed.
    payments.emails.length = 0
    writeChanges(tx, payments, writePayments)
    return written
  })
}

function play(
  set: TransactionSet,
  account_id: string,
  { at_ms, type, status, amount }: VolumeRow,
): number {
  set.locked.now = new Date(at_ms)
  const created = decide(set, {
    kind: 'create',
    account_id,
    amount,
    currency: 'USD',
    type,
    reference: null,
    metadata: null,
    linked_id: undefined,
    settle_after_ms: undefined,
  })
  if (status !== 'pending' && status !== 'declined') {
    decide(set, { kind: 'end', account_id, id: created.id, to: status, if_not_pending: 'conflict' })
  }
  return timeOfUuid(created.id).getTime()
}

/** A payment request and one declined card. */
function decline(set: PaymentSet, account_id: string, { at_ms, amount }: VolumeRow): number {
  set.locked.now = new Date(at_ms)
  const request = decidePayment(set, {
    kind: 'create',
    account_id,
    amount,
    currency: 'USD',
    customer_email: 'customer@example.com',
    reference: null,
    metadata: null,
    token: newSecret(''),
  })
  const card = { brand: 'visa', last4: '0002' } as const
  decidePayment(set, attemptCommand(request, { card, decline_code: 'card_declined' }))
  return set.attempts.at(-1)!.created_at.getTime()
}
