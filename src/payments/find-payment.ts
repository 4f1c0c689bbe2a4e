// Reading payment requests: one by id or by its link, and pages of them.

import { coalesce } from '../postgres/coalesce.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import { tooBusy } from '../postgres/lane.ts'
import type { CursorPage } from '../primitives/cursor.ts'
import { findUuid } from '../primitives/ids.ts'
import type { Caller } from '../sessions/caller.ts'
import {
  type DatedQuery,
  type FindRow,
  findVisible,
  listRows,
  type RowSource,
  rowFinder,
} from '../transactions/rows-of-accounts.ts'
import { unknownPayment } from './commands.ts'
import type { PaymentRow, PaymentStatus } from './payment.ts'
import {
  type PaymentName,
  selectPaymentPage,
  selectPayments,
  selectPaymentsById,
  selectPaymentsByToken,
} from './queries.ts'

export type FindPayment = FindRow<PaymentRow>

/** Look-ups that arrive together share one statement. */
export function paymentFinder(db: Db): FindPayment {
  return rowFinder(db, paymentsIn(db))
}

function paymentsIn(db: Db): RowSource<PaymentRow> {
  return {
    select: (names) => selectPayments(db, names),
    selectById: (ids) => selectPaymentsById(db, ids),
  }
}

/** By their names, in no order; what is not there is left out. */
export function findPayments(db: Queryable, names: PaymentName[]): Promise<PaymentRow[]> {
  return selectPayments(db, names)
}

/** The request with this id, if the caller may see it; else it does not exist. */
export async function getPayment(
  find: FindPayment,
  caller: Caller,
  payment_id: string,
): Promise<PaymentRow> {
  const row = await findVisible(find, caller, readPaymentId(payment_id))
  if (row === undefined) throw unknownPayment()
  return row
}

/** The bare id; a text that cannot be one is an id that nobody has. */
export function readPaymentId(text: string): string {
  const id = findUuid('payment', text)
  if (id === undefined) throw unknownPayment()
  return id
}

export type FindPaymentByToken = (token: string) => Promise<PaymentRow | undefined>

const tokenShape = /^[A-Za-z0-9_-]{43}$/

/** For the payment page: whoever has the link may see what is asked for. */
export function paymentByTokenFinder(db: Db): FindPaymentByToken {
  const limits = { batch_max: 256, queue_max: 4_096 }
  const find = coalesce((tokens: string[]) => findByTokenInOrder(db, tokens), limits, tooBusy)
  return async (token) => (tokenShape.test(token) ? find(token) : undefined)
}

async function findByTokenInOrder(db: Db, tokens: string[]): Promise<(PaymentRow | undefined)[]> {
  const rows = await selectPaymentsByToken(db, tokens)
  const by_token = new Map(rows.map((row) => [row.token, row]))
  return tokens.map((token) => by_token.get(token))
}

export interface PaymentListQuery extends DatedQuery {
  status?: PaymentStatus | undefined
  /** Only some of one account's. */
  among?: { account_id: string; ids: string[] } | undefined
}

export function listPayments(
  db: Db,
  caller: Caller,
  query: PaymentListQuery,
): Promise<CursorPage<PaymentRow>> {
  const { status, among } = query
  return listRows(db, caller, query, {
    ...paymentsIn(db),
    kind: 'payment',
    status,
    selectPage: async (filter, range) => {
      if (among === undefined) return selectPaymentPage(db, filter, range)
      // Those who run the service need not say whose they are; the index must be told.
      const { account_id, ids } = among
      if ((filter.account_id ?? account_id) !== account_id || ids.length === 0) return []
      return selectPaymentPage(db, { ...filter, account_id, ids }, range)
    },
  })
}
