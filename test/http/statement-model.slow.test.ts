// Compares the statement with an array over a year of seeded data, and with the balance after
// random actions.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Caller } from '../../src/identity/caller.ts'
import { seedDatabase } from '../../src/operations/seeding/seed-database.ts'
import { findCustomers } from '../../src/payments/transaction-details.ts'
import { minorDigits } from '../../src/primitives/currencies.ts'
import { toTypeId } from '../../src/primitives/ids.ts'
import { decimalText } from '../../src/primitives/money.ts'
import { statementCsv } from '../../src/transactions/list-statement.ts'
import type { StatementLine } from '../../src/transactions/statement-line.ts'
import { startFlorin } from '../support/florin.ts'
import { parseCsv } from '../support/parse-csv.ts'
import { startProxy } from '../support/proxy.ts'
import { newPassword } from '../support/secrets.ts'
import { until } from '../support/until.ts'
import { openTransactionFixtures, type Shop } from '../transactions/transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openTransactionFixtures(florin)

const plan = { accounts: 1, transactions: 1_500, seed: 'statement', all_events: true }
await seedDatabase(florin.db, { ...plan, password: newPassword() }, () => {})
const seeded = (await florin.db.pool.query('select account_id from balances')).rows[0].account_id
const headers = { 'florin-account': toTypeId('account', seeded) }

/** The expected lines, newest first. */
const model: StatementLine[] = (
  await florin.db.pool.query(
    `select sequence, at, id, type, status, reference, available_after,
       case movement when 'hold' then -postings.amount else postings.amount end as amount
     from postings
     join transactions on transactions.id = transaction_id
     where postings.account_id = $1 and movement in ('settle', 'hold', 'release')
     order by sequence desc`,
    [seeded],
  )
).rows.map(({ at, id, amount, ...row }) => ({
  ...row,
  amount: Number(amount),
  created_at: at.toISOString(),
  transaction_id: toTypeId('transaction', id),
}))

async function read(query: Record<string, unknown>) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
  const path = `/v1/account/statement?${text}`
  return florin.call('GET', path, { token: fixtures.admin.token, headers })
}

const anyLine = fc.nat(model.length - 1).map((at) => model[at]!)
/** A time at, just before or just after a line, or a date. */
const anyTime = fc
  .tuple(anyLine, fc.constantFrom(-1, 0, 1, undefined))
  .map(([{ created_at }, shift]) =>
    shift === undefined
      ? created_at.slice(0, 10)
      : new Date(Date.parse(created_at) + shift).toISOString(),
  )

const anyQuery = fc.record({
  limit: fc.integer({ min: 1, max: 120 }),
  from: fc.option(anyTime, { nil: undefined }),
  to: fc.option(anyTime, { nil: undefined }),
  cursor: fc.option(fc.tuple(fc.constantFrom('starting_after', 'ending_before'), anyLine), {
    nil: undefined,
  }),
})

test('a page matches the model for any dates, cursor and limit', async () => {
  assert.ok(model.length > 1_200, `${model.length} lines are enough`)
  const check = async ({ limit, from, to, cursor }: ReturnType<typeof sample>) => {
    const [edge, line] = cursor ?? []
    const response = await read({ limit, from, to, ...(edge && { [edge]: line!.sequence }) })
    assert.equal(response.status, 200, response.text)
    const last = to?.length === 10 ? `${to}T23:59:59.999Z` : to
    const range = model.filter(
      ({ created_at }) =>
        (from === undefined || created_at >= from) && (last === undefined || created_at <= last),
    )
    const beyond = range.filter(({ sequence }) => {
      if (edge === undefined) return true
      return edge === 'starting_after' ? sequence < line!.sequence : sequence > line!.sequence
    })
    const size = Math.min(limit, 100)
    const page = edge === 'ending_before' ? beyond.slice(-size) : beyond.slice(0, size)
    assert.deepEqual(response.body.data, page)
    assert.equal(response.body.has_more, beyond.length > size)
  }
  const sample = () => fc.sample(anyQuery, 1)[0]!
  await fc.assert(fc.asyncProperty(anyQuery, check), {
    numRuns: process.env.FLORIN_LONG ? 250 : 80,
  })
})

test('a CSV of several chunks has every line once, even during writes', async () => {
  // An owner without a token: this test does not go through the route.
  const caller = { role: 'owner', account_id: seeded } as Caller
  const find = { findCustomers, findOthers: async () => new Map() }
  const chunks = statementCsv(florin.db, caller, { limit: 1 }, find)
  let text = (await chunks.next()).value ?? ''
  // The request log uses this pool as well. A connection held by the CSV would never become
  // idle.
  const { pool } = florin.db
  await until(() => pool.idleCount === pool.totalCount, 'no connection is held between chunks')
  const currency = await currencyOf()
  const body = { account_id: headers['florin-account'], amount: 5, currency, type: 'payment' }
  const { token } = fixtures.admin
  const paid = await florin.call('POST', '/v1/transactions', { token, headers, body })
  assert.equal((await fixtures.settle(paid.body.id)).status, 200)
  const digits = minorDigits(currency)
  let count = 1
  for await (const chunk of chunks) {
    text += chunk
    count += 1
  }
  assert.ok(count > 1, `${count} chunks`)
  const [, ...records] = parseCsv(text)
  assert.deepEqual(
    records.map((record) => [record[0], record[9], record[10]]),
    model.map(({ sequence, amount, available_after }) => [
      String(sequence),
      ...[amount, available_after].map((n) => decimalText(n, digits)),
    ]),
  )
  const whole = await read({ format: 'csv' })
  assert.equal(parseCsv(whole.text).length, model.length + 2, 'the next file has the new line too')
})

test('HEAD of a CSV reads only the first chunk', async () => {
  const proxy = await startProxy(florin.connection)
  let reads = 0
  proxy.onStatement = (text) => {
    if (text.includes('from postings')) reads += 1
  }
  const behind = await florin.startSecondServer({}, proxy.connection)
  const path = '/v1/account/statement?format=csv'
  const { token } = fixtures.admin
  const whole = await behind.call('GET', path, { token, headers })
  const reads_of_get = reads
  assert.ok(reads_of_get > 1, `${reads_of_get} reads`)
  const head = await behind.call('HEAD', path, { token, headers })
  assert.deepEqual([head.status, head.text], [200, ''])
  for (const name of ['content-type', 'content-disposition']) {
    assert.equal(head.headers.get(name), whole.headers.get(name))
  }
  // Gives the HEAD request time to read more than it should.
  await behind.call('GET', path, { token, headers })
  assert.equal(reads, 2 * reads_of_get + 1)
})

async function currencyOf(): Promise<string> {
  const response = await florin.call('GET', '/v1/account/balance', {
    token: fixtures.admin.token,
    headers,
  })
  return response.body.currency
}

type Action =
  | { do: 'create'; type: 'payment' | 'credit' | 'refund'; amount: number; linked: boolean }
  | { do: 'succeeded' | 'failed' | 'canceled'; which: number }

const anyAction: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    do: fc.constant('create' as const),
    type: fc.constantFrom('payment', 'payment', 'credit', 'refund'),
    amount: fc.integer({ min: 1, max: 500 }),
    linked: fc.boolean(),
  }),
  fc.record({
    do: fc.constantFrom('succeeded', 'succeeded', 'failed', 'canceled'),
    which: fc.nat(5),
  }),
)

test('lines add up after any actions, and the newest has the balance', async () => {
  let refused = 0
  let lines = 0
  const check = async (actions: Action[]) => {
    const shop = await fixtures.shop()
    const ids: string[] = []
    for (const action of actions) {
      const status = await perform(shop, ids, action)
      if (status >= 400) refused += 1
    }
    lines += await compare(shop)
  }
  await fc.assert(fc.asyncProperty(fc.array(anyAction, { minLength: 15, maxLength: 40 }), check), {
    numRuns: process.env.FLORIN_LONG ? 200 : 40,
  })
  assert.ok(refused > 20 && lines > 100, `${refused} refused, ${lines} lines: covered too little`)
})

async function perform(shop: Shop, ids: string[], action: Action): Promise<number> {
  if (action.do === 'create') {
    const { type, amount, linked } = action
    const reference = linked ? (ids[0] ?? null) : null
    const made = await fixtures.create(shop, { type, amount, reference })
    if (made.status === 201) ids.push(made.body.id)
    return made.status
  }
  const id = ids.at(-1 - action.which)
  if (id === undefined) return 0
  const { status } =
    action.do === 'canceled'
      ? await fixtures.cancel(shop, id)
      : await fixtures.settle(id, action.do)
  return status
}

async function compare(shop: Shop): Promise<number> {
  const { token } = shop
  const balance = (await florin.call('GET', '/v1/account/balance', { token })).body
  const lines: StatementLine[] = []
  for (let more = true; more; ) {
    const cursor = lines.length > 0 ? `&starting_after=${lines.at(-1)!.sequence}` : ''
    const path = `/v1/account/statement?limit=7${cursor}`
    const { body } = await florin.call('GET', path, { token })
    lines.push(...body.data)
    more = body.has_more
  }
  lines.forEach((line, at) => {
    const before = lines[at + 1]?.available_after ?? 0
    assert.equal(line.available_after, before + line.amount, `line ${line.sequence}`)
  })
  assert.equal(lines[0]?.available_after ?? 0, balance.available)
  const sum = lines.reduce((left, { amount }) => left + amount, 0)
  assert.equal(sum, balance.available)
  return lines.length
}
