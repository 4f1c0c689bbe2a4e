// A stateful stand-in for the parts of Stripe that Florin uses: Checkout, refunds, disputes, fees,
// payouts, idempotency keys and events. The payer, the dashboard and the bank are methods of the
// class.

import Stripe from 'stripe'
import { FakeStripeBalance } from './fake-stripe-balance.ts'
import {
  failure,
  found,
  intentOf,
  listOf,
  newCharge,
  newDispute,
  newEvent,
  newRefund,
  newSession,
  type Reply,
  type Row,
  rowsOf,
  unpaidIntent,
} from './fake-stripe-objects.ts'
import { FakeStripeServer, type ResponseCheck, type StripeRequest } from './fake-stripe-server.ts'

type Params = Record<string, string>

export class FakeStripe extends FakeStripeServer {
  /** `validate` is called with every successful response. */
  static async start(validate?: ResponseCheck): Promise<FakeStripe> {
    const fake = new FakeStripe(validate)
    await fake.listen()
    return fake
  }

  readonly sessions = new Map<string, Row>()
  readonly charges = new Map<string, Row>()
  readonly refunds = new Map<string, Row>()
  readonly disputes = new Map<string, Row>()
  readonly events: Row[] = []
  readonly balance = new FakeStripeBalance()
  /** If false, balance transactions are not there yet. */
  has_fees = true
  /** The status of new refunds: some payment methods need days. */
  refund_status: 'succeeded' | 'pending' = 'succeeded'
  /** The payment intents of rejected debits. */
  readonly #rejected = new Set<unknown>()
  #last = 0

  /** The payer pays, also after the request was canceled: the page does not know. */
  pay(session_id: string, decline = false): Row | undefined {
    const session = this.sessions.get(session_id)!
    if (session.status !== 'open' || decline) return undefined
    this.#complete(session, 'paid')
    return this.#addCharge(session)
  }

  /** The payer chooses a bank debit: the money arrives later, or never. */
  payByDebit(session_id: string): void {
    const session = this.sessions.get(session_id)!
    if (session.status === 'open') this.#complete(session, 'unpaid')
  }

  /** The bank accepts or rejects a debit. */
  endDebit(session_id: string, is_accepted: boolean): void {
    const session = this.sessions.get(session_id)!
    const { status, payment_status, payment_intent } = session
    if (status !== 'complete' || payment_status !== 'unpaid') return
    if (this.#rejected.has(payment_intent)) return
    if (is_accepted) {
      session.payment_status = 'paid'
      this.#addCharge(session)
    } else this.#rejected.add(payment_intent)
    this.#addEvent(
      `checkout.session.async_payment_${is_accepted ? 'succeeded' : 'failed'}`,
      session,
    )
  }

  expire(session_id: string): void {
    const session = this.sessions.get(session_id)!
    if (session.status !== 'open') return
    Object.assign(session, { status: 'expired', url: null })
    this.#addEvent('checkout.session.expired', session)
  }

  /** A refund that a person makes in the provider's dashboard. */
  refundInDashboard(charge_id: string, amount: number): Row {
    return this.#refund({ charge: charge_id, amount: String(amount) }) as Row
  }

  /** The bank has paid out a pending refund. */
  completeRefund(refund_id: string): void {
    const refund = this.refunds.get(refund_id)!
    refund.status = 'succeeded'
    this.#addEvent('refund.updated', refund)
  }

  /** A refund that succeeded can still fail, when the bank returns it. */
  failRefund(refund_id: string): void {
    const refund = this.refunds.get(refund_id)!
    refund.status = 'failed'
    const charge = this.charges.get(refund.charge as string)!
    charge.amount_refunded = (charge.amount_refunded as number) - (refund.amount as number)
    charge.refunded = false
    this.balance.failRefund(refund)
    this.#addEvent('refund.failed', refund)
  }

  /** The amount may exceed the charge: fees and exchange rates are added. */
  dispute(charge_id: string, amount: number): Row {
    const charge = this.charges.get(charge_id)!
    charge.disputed = true
    const dispute = newDispute(this.#id('dp'), charge, amount)
    this.disputes.set(dispute.id, dispute)
    this.balance.addDispute(dispute)
    this.#addEvent('charge.dispute.created', dispute)
    return dispute
  }

  closeDispute(dispute_id: string, status: 'won' | 'lost'): void {
    const dispute = this.disputes.get(dispute_id)!
    dispute.status = status
    if (status === 'won') this.balance.winDispute(dispute)
    this.#addEvent('charge.dispute.closed', dispute)
  }

  /** A webhook request as Stripe would sign it. */
  message(event: Row, secret: string): { headers: Record<string, string>; body: string } {
    const payload = JSON.stringify(event)
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret })
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    return { headers, body: payload }
  }

  protected respond({ method, path, params }: StripeRequest): Reply {
    const [, , noun, ...rest] = path.split('/')
    const action = `${method} ${noun}`
    if (action === 'GET balance')
      return found({ object: 'balance', available: [], livemode: false, pending: [] })
    if (action === 'GET events') return this.#listEvents(params)
    if (action === 'GET balance_transactions')
      return this.balance.listEntries(params, this.has_fees)
    if (action === 'GET payouts') return this.balance.listPayouts(params)
    if (action === 'POST refunds') return this.#tryRefund(params)
    if (action === 'GET refunds') return found(listOf(rowsOf(this.refunds, params), path))
    if (action === 'GET disputes') return found(listOf(rowsOf(this.disputes, params), path))
    if (noun !== 'checkout') return failure(404, 'resource_missing')
    const [, id, verb] = rest
    if (method === 'POST' && id === undefined) return found(this.#createSession(params))
    if (id === undefined) return found(this.#listSessions(params, path))
    const session = this.sessions.get(id)
    if (session === undefined) return failure(404, 'resource_missing')
    if (verb === 'expire' && session.status !== 'open') return failure(400, 'session_not_open')
    if (verb === 'expire') this.expire(id)
    return found(this.#expanded(session))
  }

  #createSession(params: Record<string, string>): Row {
    const id = this.#id('cs_test')
    const session = newSession(id, params, `${this.url}/c/pay/${id}`)
    this.sessions.set(id, session)
    return session
  }

  #complete(session: Row, payment_status: 'paid' | 'unpaid'): void {
    const payment_intent = this.#id('pi')
    Object.assign(session, { status: 'complete', payment_status, payment_intent, url: null })
    this.#addEvent('checkout.session.completed', session)
  }

  #addCharge(session: Row): Row {
    const charge = newCharge(this.#id('ch'), session)
    this.charges.set(charge.id, charge)
    this.balance.addCharge(charge)
    return charge
  }

  #tryRefund(params: Record<string, string>): Reply {
    const refund = this.#refund(params)
    return typeof refund === 'string' ? failure(400, refund) : found(refund)
  }

  #refund(params: Record<string, string>): Row | string {
    const charge = this.charges.get(params.charge ?? '')
    const amount = Number(params.amount)
    if (charge === undefined) return 'resource_missing'
    const disputes = rowsOf(this.disputes, { charge: charge.id })
    if (disputes.some(({ status }) => status !== 'won')) return 'charge_disputed'
    const refunded = (charge.amount_refunded as number) + amount
    if (refunded > (charge.amount as number)) return 'charge_already_refunded'
    Object.assign(charge, { amount_refunded: refunded, refunded: refunded === charge.amount })
    const refund = newRefund(this.#id('re'), charge, amount, params)
    refund.status = this.refund_status
    this.refunds.set(refund.id, refund)
    this.balance.addRefund(refund)
    this.#addEvent('charge.refunded', charge)
    return refund
  }

  #expanded(session: Row): Row {
    const charge = [...this.charges.values()].find(
      ({ payment_intent }) => payment_intent === session.payment_intent,
    )
    const { payment_intent } = session
    if (payment_intent === null) return session
    if (charge) return { ...session, payment_intent: intentOf(charge, this.has_fees) }
    const is_rejected = this.#rejected.has(payment_intent)
    return { ...session, payment_intent: unpaidIntent(payment_intent as string, is_rejected) }
  }

  #listSessions({ payment_intent }: Record<string, string>, path: string) {
    const rows = [...this.sessions.values()].filter((row) => row.payment_intent === payment_intent)
    return listOf(
      rows.map((row) => this.#expanded(row)),
      path,
    )
  }

  #listEvents({ ending_before: newer, starting_after: older, limit = '10' }: Params): Reply {
    const at = this.events.findIndex(({ id }) => id === (newer ?? older))
    if ((newer ?? older) && at === -1) return failure(400, 'resource_missing')
    const rows = newer ? this.events.slice(at + 1) : this.events.slice(0, older ? at : undefined)
    // The page next to the cursor, or the newest one; always newest first.
    const page = newer ? rows.slice(0, Number(limit)) : rows.slice(-Number(limit))
    const has_more = page.length < rows.length
    return found({ ...listOf(page.toReversed(), '/v1/events'), has_more })
  }

  #addEvent(type: string, object: Row): void {
    this.events.push(newEvent(this.#id('evt'), type, object))
  }

  #id(prefix: string): string {
    this.#last += 1
    return `${prefix}_${String(this.#last).padStart(8, '0')}`
  }
}
