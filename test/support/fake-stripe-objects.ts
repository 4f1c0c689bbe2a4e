// The objects of Stripe that the stand-in stores, with every field that Stripe always sends.

export type Row = Record<string, unknown> & { id: string }

/** By which the time of the stand-in differs from real time. */
export const stripe_clock = { offset_ms: 0 }

export const now = () => Math.floor((Date.now() + stripe_clock.offset_ms) / 1_000)

export function newSession(id: string, params: Record<string, string>, url: string): Row {
  return {
    id,
    object: 'checkout.session',
    amount_total: Number(params['line_items[0][price_data][unit_amount]']),
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    client_reference_id: params.client_reference_id ?? null,
    created: now(),
    currency: params['line_items[0][price_data][currency]'],
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    expires_at: Number(params.expires_at),
    livemode: false,
    metadata: metadataOf(params),
    mode: 'payment',
    payment_intent: null,
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    shipping_options: [],
    status: 'open',
    url,
  }
}

export function newCharge(id: string, session: Row): Row {
  return {
    id,
    object: 'charge',
    amount: session.amount_total,
    amount_captured: session.amount_total,
    amount_refunded: 0,
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    captured: true,
    created: now(),
    currency: session.currency,
    disputed: false,
    livemode: false,
    // Stripe copies them from the payment intent.
    metadata: session.metadata,
    paid: true,
    payment_intent: session.payment_intent,
    refunded: false,
    status: 'succeeded',
  }
}

export function intentOf(charge: Row, has_fee: boolean): Row {
  return {
    id: charge.payment_intent as string,
    object: 'payment_intent',
    created: now(),
    livemode: false,
    status: 'succeeded',
    latest_charge: { ...charge, balance_transaction: has_fee ? balanceEntry(charge) : null },
  }
}

/** Of a bank debit, before the money arrives. */
export function unpaidIntent(id: string, is_rejected: boolean): Row {
  const status = is_rejected ? 'requires_payment_method' : 'processing'
  return {
    id,
    object: 'payment_intent',
    created: now(),
    livemode: false,
    status,
    latest_charge: null,
  }
}

export function newRefund(
  id: string,
  charge: Row,
  amount: number,
  params: Record<string, string>,
): Row {
  return {
    id,
    object: 'refund',
    amount,
    charge: charge.id,
    created: now(),
    currency: charge.currency,
    metadata: metadataOf(params),
    payment_intent: charge.payment_intent,
    status: 'succeeded',
  }
}

export function newDispute(id: string, charge: Row, amount: number): Row {
  return {
    id,
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created: now(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: { enhanced_evidence: {} },
    evidence_details: {
      due_by: now() + 7 * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: 'fraudulent',
    status: 'needs_response',
  }
}

export function newEvent(id: string, type: string, object: Row): Row {
  return {
    id,
    object: 'event',
    created: now(),
    data: { object: structuredClone(object) },
    livemode: false,
    pending_webhooks: 1,
    request: null,
    type,
  }
}

function metadataOf(params: Record<string, string>): Record<string, string> {
  const entries = Object.entries(params).flatMap(([name, value]) => {
    const key = /^metadata\[(\w+)\]$/.exec(name)?.[1]
    return key === undefined ? [] : [[key, value]]
  })
  return Object.fromEntries(entries)
}

/** The fee is 1.5 % and 25 minor units. */
export function stripeFee(amount: number): number {
  return Math.round(amount * 0.015) + 25
}

function balanceEntry({ id, amount, currency }: Row): Row {
  const fee = stripeFee(amount as number)
  return {
    id: `txn_${id}`,
    object: 'balance_transaction',
    amount,
    available_on: now(),
    balance_type: 'payments',
    created: now(),
    currency,
    exchange_rate: null,
    fee,
    fee_details: [],
    net: (amount as number) - fee,
    reporting_category: 'charge',
    status: 'pending',
    type: 'charge',
  }
}

/** The refunds or disputes of a charge, newest first. */
export function rowsOf(rows: Map<string, Row>, { charge }: Record<string, string>): Row[] {
  return [...rows.values()].filter((row) => row.charge === charge).toReversed()
}

export function listOf(data: Row[], url: string) {
  return { object: 'list', data, has_more: false, url }
}

export interface Reply {
  status: number
  body: unknown
}

export function found(body: unknown): Reply {
  return { status: 200, body }
}

export function failure(status: number, code: string): Reply {
  const kind = status === 400 || status === 404 ? 'invalid_request_error' : 'api_error'
  const type = code === 'idempotency_error' ? code : kind
  return { status, body: { error: { type, code, message: `Rejected: ${code}.` } } }
}
