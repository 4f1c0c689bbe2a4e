// A stateful stand-in for the parts of Stripe that Florin uses: Checkout, refunds, disputes, fees,
// idempotency keys and events. The payer, the dashboard and the bank are methods of the class.

import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import {
  intentOf,
  listOf,
  newCharge,
  newDispute,
  newEvent,
  newRefund,
  newSession,
  type Row,
  rowsOf,
} from './fake-stripe-objects.ts'

/** What the next matching request suffers. */
export type StripeFault =
  | 'lose_request'
  | 'lose_response'
  | 'freeze_500'
  | 'rate_limit'
  | 'reject_key'
  | 'reject'

type ResponseCheck = (method: string, path: string, body: unknown) => void

interface Reply {
  status: number
  body: unknown
}

interface StripeRequest {
  method: string
  path: string
  params: Record<string, string>
  idempotency_key: string | undefined
}

export class FakeStripe {
  readonly sessions = new Map<string, Row>()
  readonly charges = new Map<string, Row>()
  readonly refunds = new Map<string, Row>()
  readonly disputes = new Map<string, Row>()
  readonly events: Row[] = []
  readonly requests: StripeRequest[] = []
  /** By the beginning of the path, the faults of the next requests. */
  readonly faults = new Map<string, StripeFault[]>()
  /** Idempotency keys whose stored response is a 500: repeating the request does not help. */
  readonly frozen_keys = new Set<string>()
  /** If false, balance transactions are not there yet. */
  has_fees = true
  /** The status of new refunds: some payment methods need days. */
  refund_status: 'succeeded' | 'pending' = 'succeeded'
  /** The difference between the clock of the provider and ours. */
  clock_offset_ms = 0
  /** If true, every connection is closed without a response. */
  is_down = false
  readonly #stored = new Map<string, Reply & { params: string }>()
  readonly #blocks = new Map<string, () => Promise<void>>()
  readonly #server: Server
  readonly #validate: ResponseCheck
  #last = 0

  /** `validate` is called with every successful response. */
  static async start(validate?: ResponseCheck): Promise<FakeStripe> {
    const fake = new FakeStripe(validate)
    await new Promise<void>((resolve) => fake.#server.listen(0, '127.0.0.1', resolve))
    return fake
  }

  private constructor(validate: ResponseCheck = () => {}) {
    this.#validate = validate
    this.#server = createServer(async (request, response) => {
      if (this.is_down) return void request.socket.destroy()
      const { fault, reply } = await this.#serve(request)
      if (fault === 'lose_request' || fault === 'lose_response') {
        return void request.socket.destroy()
      }
      const date = new Date(Date.now() + this.clock_offset_ms).toUTCString()
      response.writeHead(reply.status, { 'content-type': 'application/json', date })
      response.end(JSON.stringify(reply.body))
    })
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** Holds the next request to this path until it is released. */
  block(path: string): { reached: Promise<void>; release(): void } {
    const reached = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    this.#blocks.set(path, async () => {
      reached.resolve()
      await released.promise
    })
    return { reached: reached.promise, release: released.resolve }
  }

  /** The payer pays, also after the request was canceled: the page does not know. */
  pay(session_id: string, decline = false): Row | undefined {
    const session = this.sessions.get(session_id)!
    if (session.status !== 'open' || decline) return undefined
    const intent_id = this.#id('pi')
    const charge = this.#addCharge(session, intent_id)
    Object.assign(session, {
      status: 'complete',
      payment_status: 'paid',
      payment_intent: intent_id,
      url: null,
    })
    this.#addEvent('checkout.session.completed', session)
    return charge
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
    this.#addEvent('refund.failed', refund)
  }

  /** Stripe forgets idempotency keys after 24 hours. */
  forgetKeys(): void {
    this.#stored.clear()
  }

  /** The amount may exceed the charge: fees and exchange rates are added. */
  dispute(charge_id: string, amount: number): Row {
    const charge = this.charges.get(charge_id)!
    charge.disputed = true
    const dispute = newDispute(this.#id('dp'), charge, amount)
    this.disputes.set(dispute.id, dispute)
    this.#addEvent('charge.dispute.created', dispute)
    return dispute
  }

  closeDispute(dispute_id: string, status: 'won' | 'lost'): void {
    const dispute = this.disputes.get(dispute_id)!
    dispute.status = status
    this.#addEvent('charge.dispute.closed', dispute)
  }

  /** A webhook request as Stripe would sign it. */
  message(event: Row, secret: string): { headers: Record<string, string>; body: string } {
    const payload = JSON.stringify(event)
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret })
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    return { headers, body: payload }
  }

  /** What the provider has received and not given back, in its minor units. */
  total(): number {
    let total = 0
    for (const charge of this.charges.values()) total += charge.amount as number
    for (const refund of this.refunds.values()) {
      if (refund.status !== 'failed') total -= refund.amount as number
    }
    return total
  }

  async #serve(
    request: IncomingMessage,
  ): Promise<{ fault: StripeFault | undefined; reply: Reply }> {
    const url = new URL(request.url!, 'http://stripe')
    const body = await textOf(request)
    const params = Object.fromEntries([...url.searchParams, ...new URLSearchParams(body)])
    const idempotency_key = request.headers['idempotency-key'] as string | undefined
    const received = { method: request.method!, path: url.pathname, params, idempotency_key }
    this.requests.push(received)
    const block = this.#blocks.get(url.pathname)
    this.#blocks.delete(url.pathname)
    await block?.()
    const fault = this.#nextFault(url.pathname)
    if (fault === 'lose_request') return { fault, reply: failure(500, 'api_error') }
    if (fault === 'rate_limit') return { fault, reply: failure(429, 'rate_limit') }
    if (fault === 'reject') return { fault, reply: failure(400, 'amount_too_small') }
    if (fault === 'reject_key') return { fault, reply: failure(401, 'api_key_expired') }
    const reply = this.#once(received, fault)
    if (reply.status === 200) this.#validate(received.method, received.path, reply.body)
    return { fault, reply }
  }

  #nextFault(path: string): StripeFault | undefined {
    for (const [start, faults] of this.faults) {
      if (path.startsWith(start)) return faults.shift()
    }
    return undefined
  }

  /** A key returns the stored response, even a 500; other parameters are an error. */
  #once(received: StripeRequest, fault: StripeFault | undefined): Reply {
    const { idempotency_key: key } = received
    const params = JSON.stringify(received.params)
    const stored = key === undefined ? undefined : this.#stored.get(key)
    if (stored !== undefined) {
      return stored.params === params ? stored : failure(400, 'idempotency_error')
    }
    const reply = fault === 'freeze_500' ? failure(500, 'api_error') : this.#respond(received)
    if (key !== undefined && fault === 'freeze_500') this.frozen_keys.add(key)
    if (key !== undefined) this.#stored.set(key, { ...structuredClone(reply), params })
    return reply
  }

  #respond({ method, path, params }: StripeRequest): Reply {
    const [, , noun, ...rest] = path.split('/')
    const action = `${method} ${noun}`
    if (action === 'GET balance')
      return found({ object: 'balance', available: [], livemode: false, pending: [] })
    if (action === 'GET events') return this.#listEvents(params)
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

  #addCharge(session: Row, payment_intent: string): Row {
    const charge = newCharge(this.#id('ch'), session, payment_intent)
    this.charges.set(charge.id, charge)
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
    this.#addEvent('charge.refunded', charge)
    return refund
  }

  #expanded(session: Row): Row {
    const charge = [...this.charges.values()].find(
      ({ payment_intent }) => payment_intent === session.payment_intent,
    )
    if (charge === undefined) return session
    const intent = intentOf(charge, this.has_fees)
    return { ...session, payment_intent: intent }
  }

  #listSessions({ payment_intent }: Record<string, string>, path: string) {
    const rows = [...this.sessions.values()].filter((row) => row.payment_intent === payment_intent)
    return listOf(
      rows.map((row) => this.#expanded(row)),
      path,
    )
  }

  #listEvents({ ending_before, limit = '10' }: Record<string, string>): Reply {
    const from = this.events.findIndex(({ id }) => id === ending_before) + 1
    if (ending_before && from === 0) return failure(400, 'resource_missing')
    const newer = this.events.slice(from)
    // The page next to the cursor, or the newest one; always newest first.
    const page = ending_before ? newer.slice(0, Number(limit)) : newer.slice(-Number(limit))
    return found(listOf(page.toReversed(), '/v1/events'))
  }

  #addEvent(type: string, object: Row): void {
    this.events.push(newEvent(this.#id('evt'), type, object))
  }

  #id(prefix: string): string {
    this.#last += 1
    return `${prefix}_${String(this.#last).padStart(8, '0')}`
  }
}

function found(body: unknown): Reply {
  return { status: 200, body }
}

function failure(status: number, code: string): Reply {
  const type = status === 400 || status === 404 ? 'invalid_request_error' : 'api_error'
  return { status, body: { error: { type, code, message: `Rejected: ${code}.` } } }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}
