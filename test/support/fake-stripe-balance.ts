// The balance of the stand-in for Stripe: an entry for each change, and payouts to the bank.

import { found, now, type Reply, type Row, stripeFee } from './fake-stripe-objects.ts'

type Params = Record<string, string>

interface NewEntry {
  type: string
  reporting_category?: string
  amount: number
  fee?: number
  source: Row
}

export class FakeStripeBalance {
  /** Oldest first. */
  readonly entries: Row[] = []
  readonly payouts: Row[] = []
  /** By the id of an entry, the payout that contains it. */
  readonly #payout_of = new Map<string, string>()

  addCharge(charge: Row): void {
    const amount = charge.amount as number
    this.add({ type: 'charge', amount, fee: stripeFee(amount), source: charge }, `txn_${charge.id}`)
  }

  addRefund(refund: Row): void {
    this.add({ type: 'refund', amount: 0 - (refund.amount as number), source: refund })
  }

  /** The bank returned the refund. */
  failRefund(refund: Row): void {
    this.add({ type: 'refund_failure', amount: refund.amount as number, source: refund })
  }

  addDispute(dispute: Row): void {
    const amount = 0 - (dispute.amount as number)
    const reporting_category = 'dispute'
    this.add({ type: 'adjustment', reporting_category, amount, fee: 1_500, source: dispute })
  }

  winDispute(dispute: Row): void {
    const reporting_category = 'dispute_reversal'
    const amount = dispute.amount as number
    this.add({ type: 'adjustment', reporting_category, amount, source: dispute })
  }

  /** A fee of the operator, without a charge. */
  addAccountFee(amount: number, currency: string): void {
    this.add({ type: 'stripe_fee', amount: 0 - amount, source: { id: '', currency } })
  }

  /** Pays out every entry in a currency that no payout contains yet. */
  payOut(currency: string, { remainder = 0, is_grouped = true } = {}): Row {
    const open = this.entries.filter(
      (entry) =>
        entry.currency === currency && entry.type !== 'payout' && !this.#payout_of.has(entry.id),
    )
    const amount = open.reduce((sum, entry) => sum + (entry.net as number), remainder)
    const payout = newPayout(`po_${String(this.payouts.length + 1).padStart(8, '0')}`, {
      amount,
      currency,
      automatic: is_grouped,
      reconciliation_status: is_grouped ? 'completed' : 'not_applicable',
    })
    this.payouts.push(payout)
    const own = this.add({ type: 'payout', amount: 0 - amount, source: payout })
    if (is_grouped) for (const { id } of [...open, own]) this.#payout_of.set(id, payout.id)
    return payout
  }

  /** `has_charges`: whether the entries of charges are there already. */
  listEntries(params: Params, has_charges: boolean): Reply {
    const { payout } = params
    const rows = this.entries.filter(
      ({ id, type }) =>
        (payout === undefined || this.#payout_of.get(id) === payout) &&
        (has_charges || type !== 'charge'),
    )
    const expands = Object.values(params).includes('data.source')
    const expanded = rows.map((row) => ({
      ...row,
      source: expands ? row.source : ((row.source as Row | null)?.id ?? null),
    }))
    return pageOf(expanded, params, '/v1/balance_transactions')
  }

  listPayouts(params: Params): Reply {
    return pageOf(this.payouts, params, '/v1/payouts')
  }

  add(entry: NewEntry, id = `txn_${String(this.entries.length + 1).padStart(8, '0')}`): Row {
    const { type, amount, fee = 0, source, reporting_category = type } = entry
    const row: Row = {
      id,
      object: 'balance_transaction',
      amount,
      available_on: now(),
      balance_type: 'payments',
      created: now(),
      currency: source.currency,
      exchange_rate: null,
      fee,
      fee_details: [],
      net: amount - fee,
      reporting_category,
      source: source.id === '' ? null : source,
      status: 'available',
      type,
    }
    this.entries.push(row)
    return row
  }
}

function newPayout(id: string, fields: Record<string, unknown>): Row {
  return {
    id,
    object: 'payout',
    arrival_date: now() + 86_400,
    created: now(),
    description: null,
    failure_code: null,
    livemode: false,
    metadata: {},
    method: 'standard',
    source_type: 'card',
    statement_descriptor: 'FLORIN',
    status: 'paid',
    trace_id: { status: 'supported', value: `TRACE${id.slice(-4)}` },
    type: 'bank_account',
    ...fields,
  }
}

/** Newest first. */
function pageOf(rows: Row[], { starting_after, limit = '10' }: Params, url: string): Reply {
  const newest_first = rows.toReversed()
  const from = starting_after ? newest_first.findIndex(({ id }) => id === starting_after) + 1 : 0
  const data = newest_first.slice(from, from + Number(limit))
  const has_more = from + data.length < rows.length
  return found({ object: 'list', data, has_more, url })
}
