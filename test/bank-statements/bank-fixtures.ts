// Fixtures for tests of bank statements: a euro shop, files with chosen entries, and the worker.

import assert from 'node:assert/strict'
import { type SettleParts, settleEntries } from '../../src/bank-statements/settle-entries.ts'
import { PaymentLanes } from '../../src/payments/lanes.ts'
import { account_iban, writeCamt } from '../bank/statements/write-samples.ts'
import { PaymentFixtures } from '../payments/payment-fixtures.ts'
import type { CallOptions } from '../support/call.ts'
import { type Florin, patient, startFlorin } from '../support/florin.ts'
import type { Shop } from '../transactions/transaction-fixtures.ts'

interface Money {
  /** In cents; negative for a debit. */
  signed: number
  text: string
  reference?: string | null
  booked_on?: string
}

const name = 'Jane Doe'
const iban = 'FR1420041010050500013M02606'
let sequence = 0

/** A camt.053 with these entries, which continues nothing. */
export function fileOf(money: Money[], opening = 0, number = ++sequence): string {
  const entries = money.map(({ signed, text, reference, booked_on = '2026-11-17' }, at) => ({
    signed,
    text,
    name,
    iban,
    booked_on,
    end_to_end_id: null,
    reference: reference === undefined ? `B${number}X${at}` : reference,
  }))
  return writeCamt({ iban: account_iban, sequence: number, opening, entries }, '08')
}

/** A new account with one payment of 100.00 by bank transfer. */
export interface PaidShop {
  shop: Shop
  payment_id: string
  entry_id: string
}

export class BankFixtures extends PaymentFixtures {
  readonly parts: SettleParts

  constructor(florin: Florin, admin: PaymentFixtures['admin']) {
    super(florin, admin)
    const payment_lanes = new PaymentLanes(florin.db, florin.config.public_url, patient)
    this.parts = { db: florin.db, payment_lanes, late_payments: 'refund', settlers: [] }
  }

  static async open(): Promise<BankFixtures> {
    const florin = await startFlorin()
    return new BankFixtures(florin, await florin.people.admin())
  }

  async euroShop(): Promise<Shop> {
    const shop = await this.shop()
    const body = { settings: { currency: 'EUR' } }
    const changed = await this.florin.call('PATCH', '/v1/account', { token: shop.token, body })
    assert.equal(changed.status, 200, changed.text)
    return shop
  }

  euroRequest(shop: Shop, amount: number): Promise<string> {
    return this.request(shop, { amount, currency: 'EUR' })
  }

  async paidShop(): Promise<PaidShop> {
    const shop = await this.euroShop()
    const request_id = await this.euroRequest(shop, 10_000)
    const entry = await this.receive({ signed: 10_000, text: request_id })
    assert.equal(entry.status, 'settled')
    const { body } = await this.florin.call('GET', '/v1/transactions', { token: shop.token })
    return { shop, payment_id: body.data[0].id, entry_id: entry.id }
  }

  /** Returns the id of a refund of the payment. */
  async refunded(
    { shop, payment_id }: Pick<PaidShop, 'shop' | 'payment_id'>,
    amount = 4_000,
  ): Promise<string> {
    const body = { currency: 'EUR', reference: payment_id, type: 'refund', amount }
    const created = await this.create(shop, body)
    assert.equal(created.status, 201, created.text)
    return created.body.id
  }

  upload(file: string, { query = '', ...options }: CallOptions & { query?: string } = {}) {
    const headers = { 'content-type': 'application/octet-stream', ...options.headers }
    const { token = this.admin.token } = options
    return this.florin.call('POST', `/v1/bank_statements${query}`, { token, body: file, headers })
  }

  /** Imports the file; returns its statements. */
  async import(file: string) {
    const response = await this.upload(file)
    assert.equal(response.status, 200, response.text)
    return response.body.data
  }

  /** Runs the worker until nothing is due. */
  async settleAll(parts: Partial<SettleParts> = {}): Promise<void> {
    const { signal } = new AbortController()
    const fail = (error: unknown) => {
      throw error
    }
    while ((await settleEntries({ ...this.parts, ...parts }, { signal }, fail)).done > 0);
  }

  async entriesOf(statement_id: string, query = '') {
    const path = `/v1/bank_entries?limit=100&statement_id=${statement_id}${query}`
    const { status, body, text } = await this.florin.call('GET', path, { token: this.admin.token })
    assert.equal(status, 200, text)
    return body.data.toReversed()
  }

  /** Imports one entry and settles what can be settled; returns the entry. */
  async receive(money: Money) {
    const [statement] = await this.import(fileOf([money]))
    await this.settleAll()
    const [entry] = await this.entriesOf(statement.id)
    return entry
  }

  /** The entry itself. */
  async entry(id: string) {
    const path = `/v1/bank_entries/${id}`
    return (await this.florin.call('GET', path, { token: this.admin.token })).body
  }

  decide(id: string, verb: 'match' | 'ignore' | 'reopen', body?: object, options = {}) {
    const path = `/v1/bank_entries/${id}/${verb}`
    return this.florin.call('POST', path, { token: this.admin.token, body, ...options })
  }

  /** Type, status and amount of the account's transactions, oldest first. */
  async transactionsOf(shop: Shop): Promise<[string, string, number][]> {
    const text = `
      select type, status, amount from transactions where account_id = $1 order by id`
    const { rows } = await this.florin.db.pool.query(text, [shop.uuid])
    return rows.map(({ type, status, amount }) => [type, status, Number(amount)])
  }
}
