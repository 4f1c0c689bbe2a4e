import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Florin, type FlorinError } from '../../client/src/florin.ts'
import { startFlorin } from '../support/florin.ts'

const server = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const owner = await server.people.owner()
const admin = await server.people.admin()
const florin = new Florin({ base_url: server.url, tokens: { access_token: owner.token } })
const platform = new Florin({
  base_url: server.url,
  tokens: { access_token: admin.token },
  account: owner.account_id,
})

const body = { account_id: owner.account_id, amount: 5, currency: 'USD', type: 'payment' } as const
const made: string[] = []
for (let number = 1; number <= 7; number += 1) {
  const { id } = await florin.transactions.create({ ...body, reference: `number ${number}` })
  await platform.transactions.settle(id, { outcome: 'succeeded' })
  made.push(id)
}
const newest_first = made.toReversed()

test('a page has the entries of one response and loads the next page', async () => {
  const page = await florin.transactions.list({ limit: 3 })
  assert.equal(page.object, 'list')
  assert.equal(page.has_more, true)
  assert.deepEqual(
    page.data.map(({ id }) => id),
    newest_first.slice(0, 3),
  )
  assert.deepEqual(Object.keys(JSON.parse(JSON.stringify(page))), ['object', 'data', 'has_more'])
  const second = await page.nextPage()
  const third = await second!.nextPage()
  assert.deepEqual(
    third!.data.map(({ id }) => id),
    newest_first.slice(6),
  )
  assert.equal(await third!.nextPage(), undefined)
})

test('iterating over a list loads all pages, with its filters', async () => {
  const ids: string[] = []
  for await (const { id } of florin.transactions.list({ limit: 2 })) ids.push(id)
  assert.deepEqual(ids, newest_first)
  const none = await Array.fromAsync(florin.transactions.list({ limit: 2, status: 'failed' }))
  assert.deepEqual(none, [])
  const page = await florin.transactions.list({ limit: 2, starting_after: newest_first[1]! })
  const rest = await Array.fromAsync(page)
  assert.deepEqual(
    rest.map(({ id }) => id),
    newest_first.slice(2),
  )
})

test('ending_before iterates oldest first, without gaps between pages', async () => {
  const newer = florin.transactions.list({ limit: 2, ending_before: made[0]! })
  const ids = (await Array.fromAsync(newer)).map(({ id }) => id)
  assert.deepEqual(ids, made.slice(1))
})

test('loads nothing before the iteration starts and nothing after it ends', async () => {
  let requests = 0
  const counting = new Florin({
    base_url: server.url,
    tokens: { access_token: owner.token },
    fetch: (url, init) => {
      requests += 1
      return fetch(url, init)
    },
  })
  const list = counting.transactions.list({ limit: 2 })
  assert.equal(requests, 0)
  for await (const { id } of list) if (id === newest_first[2]) break
  assert.equal(requests, 2)
  await list
  assert.equal(requests, 2, 'the first page is reused')
})

test('entries can be removed during an iteration', async () => {
  for (let number = 0; number < 5; number += 1) {
    await florin.webhookEndpoints.create({ url: `https://example.com/${number}`, events: ['*'] })
  }
  let removed = 0
  for await (const { id } of florin.webhookEndpoints.list({ limit: 2 })) {
    await florin.webhookEndpoints.delete(id)
    removed += 1
  }
  assert.equal(removed, 5)
  assert.deepEqual((await florin.webhookEndpoints.list()).data, [])
})

test('events with after are iterated oldest first', async () => {
  const events = await Array.fromAsync(florin.events.list({ after: 2, limit: 3 }))
  const numbers = events.map(({ sequence }) => sequence)
  assert.deepEqual(
    numbers,
    numbers.map((_, at) => at + 3),
  )
  assert.ok(numbers.length > 10)
})

test('statement lines are paginated by their sequence number', async () => {
  const lines = await Array.fromAsync(florin.account.listStatement({ limit: 2 }))
  assert.deepEqual(
    lines.map(({ transaction_id }) => transaction_id),
    newest_first,
  )
  const newer = { limit: 2, ending_before: String(lines.at(-1)!.sequence) }
  const oldest_first = await Array.fromAsync(florin.account.listStatement(newer))
  assert.deepEqual(oldest_first, lines.slice(0, -1).toReversed())
  const csv = await florin.account.getStatementCsv()
  assert.match(csv, /^sequence,created_at,created_at_local,transaction_id/)
  assert.equal(csv.trim().split('\r\n').length, 8)
})

test('iterates over numbered pages: users with total_pages, accounts with has_next', async () => {
  for (let number = 0; number < 4; number += 1) await server.people.owner()
  const page = await platform.users.list({ limit: 2 })
  assert.equal(page.pagination.total_pages, 3)
  assert.equal((await page.nextPage())!.pagination.page, 2)
  const users = await Array.fromAsync(platform.users.list({ limit: 2 }))
  assert.equal(new Set(users.map(({ id }) => id)).size, 6)
  const accounts = await Array.fromAsync(platform.accounts.list({ limit: 2 }))
  assert.equal(new Set(accounts.map(({ id }) => id)).size, 5)
  const last = await Array.fromAsync(platform.accounts.list({ limit: 2, page: 3 }))
  assert.equal(last.length, 1)
})

test('a rejected list request rejects for every way to consume it', async () => {
  const refused = florin.transactions.list({ starting_after: 'txn_nowhere' })
  await assert.rejects(Array.fromAsync(refused), { code: 'invalid_request' })
  assert.equal(await refused.catch((error) => (error as FlorinError).status), 400)
  await assert.rejects(refused.finally(), { code: 'invalid_request' })
})
