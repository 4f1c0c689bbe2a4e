// A stateful stand-in for the parts of Mollie that Florin uses: payments, refunds, chargebacks,
// settlements and idempotency keys. The payer, the dashboard and the bank are methods of the class.
// It was written from Mollie's documentation and has not been compared with Mollie itself.

import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FakeMollieSettlements, type Reply } from './fake-mollie-settlements.ts'

type Row = Record<string, unknown> & { id: string }

interface Amount {
  currency: string
  value: string
}

interface MollieRequest {
  method: string
  path: string
  body: Record<string, unknown>
  idempotency_key: string | undefined
}

export class FakeMollie {
  readonly payments = new Map<string, Row>()
  readonly refunds = new Map<string, Row>()
  readonly chargebacks = new Map<string, Row>()
  readonly requests: MollieRequest[] = []
  readonly settled = new FakeMollieSettlements()
  /** The number of next responses that are lost after the request was processed. */
  lost_responses = 0
  readonly #stored = new Map<string, Reply>()
  readonly #server: Server
  #last = 0

  static async start(): Promise<FakeMollie> {
    const fake = new FakeMollie()
    await new Promise<void>((resolve) => fake.#server.listen(0, '127.0.0.1', resolve))
    return fake
  }

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const reply = await this.#serve(request)
      if (this.lost_responses > 0) {
        this.lost_responses -= 1
        request.socket.destroy()
        return
      }
      response.writeHead(reply.status, { 'content-type': 'application/hal+json' })
      response.end(reply.body === undefined ? '' : JSON.stringify(reply.body))
    })
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  pay(payment_id: string): void {
    const details = { cardLabel: 'Mastercard', cardNumber: '6787' }
    this.#change(payment_id, { status: 'paid', paidAt: this.#now(), details })
  }

  expire(payment_id: string): void {
    this.#change(payment_id, { status: 'expired', expiredAt: this.#now() })
  }

  refundInDashboard(payment_id: string, amount: Amount): Row {
    return this.#addRefund(payment_id, { amount })
  }

  /** Mollie sends refunds to the bank once a day. */
  finishRefund(refund_id: string, status: 'refunded' | 'failed'): void {
    this.refunds.get(refund_id)!.status = status
  }

  chargeBack(payment_id: string, amount: Amount): Row {
    const reason = { code: 'AC01', description: 'Account identifier incorrect' }
    const row = { ...this.#newRow('chb', payment_id), amount, reason, reversedAt: null }
    this.chargebacks.set(row.id, row)
    return row
  }

  #change(payment_id: string, fields: Record<string, unknown>): void {
    const payment = this.payments.get(payment_id)!
    if (payment.status === 'open') Object.assign(payment, fields, { _links: {} })
  }

  async #serve(request: IncomingMessage): Promise<Reply> {
    const url = new URL(request.url!, 'http://mollie')
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const text = Buffer.concat(parts).toString()
    const received: MollieRequest = {
      method: request.method!,
      path: url.pathname,
      body: text === '' ? {} : JSON.parse(text),
      idempotency_key: request.headers['idempotency-key'] as string | undefined,
    }
    this.requests.push(received)
    const { authorization } = request.headers
    if (url.pathname.startsWith('/v2/settlements')) {
      return this.settled.respond(url.pathname, url.searchParams, authorization)
    }
    const is_key = /^Bearer (test|live)_\w+$/.test(authorization ?? '')
    return is_key ? this.#once(received) : failure(401, 'Missing authentication, or failed')
  }

  #once(received: MollieRequest): Reply {
    const { idempotency_key: key } = received
    const stored = key === undefined ? undefined : this.#stored.get(key)
    const reply = stored ?? this.#respond(received)
    if (key !== undefined) this.#stored.set(key, structuredClone(reply))
    return reply
  }

  #respond({ method, path, body }: MollieRequest): Reply {
    const [, , noun, id, verb] = path.split('/') as [string, string, string, string?, string?]
    if (id === undefined && method === 'POST') return { status: 201, body: this.#create(body) }
    if (id === undefined) return found({ _embedded: { [noun]: this.#listed(noun) } })
    const payment = this.payments.get(id)
    if (payment === undefined) return failure(404, 'No payment exists with this id')
    if (verb === 'refunds') return this.#refund(payment, body)
    if (method === 'DELETE' && payment.status !== 'open')
      return failure(422, 'The payment cannot be canceled')
    if (method === 'DELETE') this.#change(id, { status: 'canceled', canceledAt: this.#now() })
    const isOf = ({ paymentId }: Row) => paymentId === id
    const refunds = [...this.refunds.values()].filter(isOf)
    const chargebacks = [...this.chargebacks.values()].filter(isOf)
    return found({ ...payment, _embedded: { refunds, chargebacks } })
  }

  #listed(noun: string): Row[] {
    const rows = { payments: this.payments, refunds: this.refunds, chargebacks: this.chargebacks }
    return [...rows[noun as keyof typeof rows].values()].toReversed()
  }

  #create(body: Record<string, unknown>): Row {
    const row = this.#newRow('tr')
    const expiresAt = new Date(Date.now() + 900_000).toISOString()
    const _links = { checkout: { href: `${this.url}/checkout/${row.id}` } }
    const payment = { ...body, ...row, mode: 'test', status: 'open', expiresAt, _links }
    this.payments.set(row.id, payment)
    return payment
  }

  #refund({ id, amount }: Row, body: Record<string, unknown>): Reply {
    const refunds = [...this.refunds.values()].filter(({ paymentId }) => paymentId === id)
    const total = [...refunds, body].reduce((sum, row) => sum + unitsOf(row.amount), 0)
    if (total > unitsOf(amount)) return failure(422, 'The amount is higher than the maximum')
    return { status: 201, body: this.#addRefund(id, body) }
  }

  #addRefund(payment_id: string, body: Record<string, unknown>): Row {
    const row = { ...body, ...this.#newRow('re', payment_id), status: 'pending' }
    this.refunds.set(row.id, row)
    return row
  }

  #newRow(prefix: string, paymentId?: string): Row {
    this.#last += 1
    const id = `${prefix}_${String(this.#last).padStart(6, '0')}`
    return { id, createdAt: this.#now(), ...(paymentId && { paymentId }) }
  }

  /** Ascending, although Mollie's times have whole seconds. */
  #now(): string {
    this.#last += 1
    return new Date(Date.UTC(2026, 0, 1) + this.#last * 1_000).toISOString()
  }
}

function unitsOf(amount: unknown): number {
  return Number((amount as Amount).value)
}

function found(body: unknown): Reply {
  return { status: 200, body }
}

function failure(status: number, detail: string): Reply {
  return { status, body: { status, title: 'Error', detail } }
}
