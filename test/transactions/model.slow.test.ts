// Compares random sequences of requests with a pure model, which predicts each response. Eight runs
// in parallel, so that batches contain unrelated accounts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findUuid, newUuid, toTypeId } from '../../src/primitives/ids.ts'
import type { ApiResponse } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import {
  bucketsOf,
  type CreateInput,
  type ExpectedResult,
  expectedCreateResult,
  linkOf,
  listOf,
  type ModelTransaction,
  merge,
  type Request,
  type World,
} from './model.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const other = await florin.startSecondServer()
const admin = await florin.people.admin()
const template = findUuid('account', (await florin.people.owner()).account_id)!
const { pool } = florin.db

const sequences = process.env.FLORIN_LONG ? 320 : 160
const parallel_runs = 8
const accounts_each = 2

/** Creates accounts as copies of one: hashing a password for each would take most of the time. */
async function copyAccounts(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newUuid(Date.now()))
  const new_ids = 'unnest($1::uuid[]) as it (id)'
  await pool.query(
    `with copied as (
       insert into accounts select it.id, it.id, type, status, it.id::text, name, currency,
         timezone, language, updated_at, null, it.id::text from accounts, ${new_ids}
         where accounts.id = $2
       returning id, status, type),
     owners as (
       insert into users select it.id, it.id, role, status, it.id::text, it.id::text, name,
         password_hash, it.id::text, updated_at from users, ${new_ids} where account_id = $2),
     claims as (insert into email_claims select it.id::text, it.id from ${new_ids}),
     counted as (
       insert into list_counts
         select 'accounts', status, type, 0, count(*) from copied group by status, type
         union all select 'users', 'active', '', 0, count(*) from copied
       on conflict (list, status, type, slot) do update
       set n = list_counts.n + excluded.n)
     insert into balances select it.id, currency, status, 0, 0, 0, 0, 0, last_transaction_id,
       last_at from balances, ${new_ids} where account_id = $2`,
    [ids, template],
  )
  return ids
}

const unused = await copyAccounts(sequences * accounts_each)

function newWorld(): World {
  const ids = unused.splice(0, accounts_each)
  assert.equal(ids.length, accounts_each, 'every sequence needs unused accounts')
  return {
    account_ids: ids.map((id) => toTypeId('account', id)),
    statuses: ids.map(() => 'active'),
    transactions: [],
    stored: [],
  }
}

let requests = 0
const counts: Record<ExpectedResult, number> = {}

async function send(request: Request, key?: string): Promise<ApiResponse> {
  requests += 1
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
  const { call } = requests % 3 === 0 ? other : florin
  const { method, path, body } = request
  return call(method, path, { token: admin.token, headers, body })
}

function check(response: ApiResponse, expected: ExpectedResult, about: unknown): void {
  const actual =
    response.status < 300 ? String(response.status) : `${response.status} ${response.body.error}`
  assert.equal(actual, expected, `${JSON.stringify(about)}: ${response.text}`)
  counts[actual] = (counts[actual] ?? 0) + 1
}

/** A command whose numbers refer to the objects that exist when it runs. */
type ModelCommand = fc.AsyncCommand<World, object>

function command(name: string, data: unknown, run: (world: World) => Promise<void>): ModelCommand {
  return { check: () => true, run, toString: () => `${name} ${JSON.stringify(data)}` }
}

/** The transaction that a number refers to, if there is any. */
function pick(world: World, number: number): ModelTransaction | undefined {
  return world.transactions[number % Math.max(1, world.transactions.length)]
}

async function sendAndCheck(
  world: World,
  request: Request,
  key: string | undefined,
  expected: ExpectedResult,
) {
  const response = await send(request, key)
  check(response, expected, request)
  if (key && response.status < 300) world.stored.push({ key, request, text: response.text })
  return response
}

const small = fc.nat({ max: 30 })
const account = fc.nat({ max: accounts_each - 1 })
const metadata = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 'd'),
  fc.constantFrom(1, 'x', null, []),
  { noNullPrototype: true },
)
const key = fc.option(fc.uuid(), { nil: undefined })

const create = fc
  .record({
    account,
    type: fc.constantFrom('payment', 'payment', 'credit', 'refund', 'refund' as const),
    amount: fc.integer({ min: 1, max: 300 }),
    currency: fc.constantFrom(...Array.from({ length: 15 }, () => 'USD'), 'EUR'),
    reference: fc.oneof(small, fc.constant('just text'), fc.constant(null)),
    metadata,
    key,
  })
  .map(({ key, ...data }) =>
    command('create', data, async (world) => {
      const reference =
        typeof data.reference === 'number'
          ? (pick(world, data.reference)?.id ?? null)
          : data.reference
      const input = { ...data, reference } as CreateInput
      const { account: at, ...body } = input
      const request = {
        method: 'POST',
        path: '/v1/transactions',
        body: { ...body, account_id: world.account_ids[at] },
      }
      const expected = expectedCreateResult(world, input)
      const response = await sendAndCheck(world, request, key, expected)
      if (expected !== '201') return
      const { id } = response.body
      const link = linkOf(world, input)
      const { currency: _, ...rest } = input
      world.transactions.push({ ...rest, id, status: 'pending', link })
      compare(response.body, world, world.transactions.at(-1)!)
    }),
  )

const end = fc
  .record({
    number: small,
    to: fc.constantFrom('succeeded', 'succeeded', 'failed', 'canceled'),
    key,
  })
  .map(({ key, ...data }) =>
    command('end', data, async (world) => {
      const one = pick(world, data.number)
      if (one === undefined) return
      const path = `/v1/transactions/${one.id}`
      const request =
        data.to === 'canceled'
          ? { method: 'DELETE', path }
          : { method: 'POST', path: `${path}/settle`, body: { outcome: data.to } }
      const late = data.to === 'canceled' ? '409 not_cancellable' : '409 conflict'
      const expected = one.status === 'pending' ? '200' : late
      await sendAndCheck(world, request, key, expected)
      if (expected === '200') one.status = data.to as ModelTransaction['status']
    }),
  )

const patch = fc
  .record({
    number: small,
    metadata: fc.option(metadata),
    reference: fc.option(fc.constantFrom('one', 'two')),
    fixed: fc.constantFrom(false, false, false, true),
    key,
  })
  .map(({ key, ...data }) =>
    command('patch', data, async (world) => {
      const one = pick(world, data.number)
      if (one === undefined) return
      const { metadata, reference, fixed } = data
      const body = { metadata, reference, ...(fixed ? { amount: one.amount } : {}) }
      const request = { method: 'PATCH', path: `/v1/transactions/${one.id}`, body }
      const response = await sendAndCheck(world, request, key, fixed ? '409 conflict' : '200')
      if (fixed) return
      Object.assign(one, { reference, metadata: merge(one.metadata, metadata) })
      compare(response.body, world, one)
    }),
  )

const again = fc.record({ number: small, other: fc.boolean() }).map((data) =>
  command('again', data, async (world) => {
    const stored = world.stored[data.number % Math.max(1, world.stored.length)]
    if (stored === undefined) return
    const path = data.other ? `${stored.request.path}?&` : stored.request.path
    const response = await send({ ...stored.request, path }, stored.key)
    if (data.other) return check(response, '422 idempotency_conflict', stored.request)
    assert.equal(response.text, stored.text)
    assert.equal(response.headers.get('idempotent-replayed'), 'true')
  }),
)

const suspend = fc.record({ account, on: fc.boolean() }).map((data) =>
  command('suspend', data, async (world) => {
    const status = data.on ? 'suspended' : 'active'
    const path = `/v1/accounts/${world.account_ids[data.account]}`
    check(await send({ method: 'PATCH', path, body: { status } }), '200', data)
    world.statuses[data.account] = status
  }),
)

const list = fc
  .record({
    account,
    status: fc.constantFrom(undefined, 'pending', 'succeeded', 'failed', 'canceled'),
    type: fc.constantFrom(undefined, 'payment', 'credit', 'refund'),
  })
  .map((data) => command('list', data, (world) => checkList(world, data.account, data)))

type Filter = { status?: string | undefined; type?: string | undefined }

function compare(shown: Record<string, unknown>, world: World, one: ModelTransaction): void {
  const { id, type, amount, status, reference, metadata } = one
  const { created_at: _, updated_at: __, ...rest } = shown
  const account_id = world.account_ids[one.account]
  const whole = { id, account_id, amount, currency: 'USD', type, status, reference, metadata }
  assert.deepEqual(rest, whole)
}

async function checkList(world: World, at: number, filter: Filter): Promise<void> {
  const given = Object.entries(filter).filter(([name, value]) => name !== 'account' && value)
  const query = new URLSearchParams(given as [string, string][])
  const path = `/v1/transactions?limit=100&${query}`
  const headers = { 'florin-account': world.account_ids[at]! }
  const { body } = await florin.call('GET', path, { token: admin.token, headers })
  const expected = listOf(world, at, filter)
  assert.equal(body.data.length, expected.length)
  expected.forEach((one, number) => {
    compare(body.data[number], world, one)
  })
  const text = 'select available, incoming, held from balances where account_id = $1'
  const found = await pool.query(text, [findUuid('account', world.account_ids[at]!)])
  assert.deepEqual(found.rows[0], bucketsOf(world, at))
}

test('random sequences of requests get the responses that the model predicts', async () => {
  const kinds = [create, create, create, end, end, end, patch, again, list, suspend]
  const sequence = fc.commands(kinds, { maxCommands: 32, size: 'max' })
  const property = fc.asyncProperty(sequence, async (commands) => {
    const world = newWorld()
    await fc.asyncModelRun(() => ({ model: world, real: {} }), commands)
    for (let at = 0; at < accounts_each; at++) await checkList(world, at, {})
  })
  // A failing sequence is not shrunk: that would use up the accounts.
  const options = { numRuns: sequences / parallel_runs, endOnFailure: true }
  await Promise.all(Array.from({ length: parallel_runs }, () => fc.assert(property, options)))
  assert.equal(unused.length, 0)
  // With fewer responses of a kind the test would prove nothing.
  for (const result of ['201', '200', '402 insufficient_funds', '400 invalid_request']) {
    assert.ok(counts[result]! > 50, `${result}: ${JSON.stringify(counts)}`)
  }
  for (const result of ['409 not_cancellable', '409 conflict', '422 idempotency_conflict']) {
    assert.ok(counts[result]! > 10, `${result}: ${JSON.stringify(counts)}`)
  }
})
