// GET /v1/events and GET /v1/events/{id}: newest first, or oldest first after a number.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { makeKey } from '../identity/api-keys/keys.ts'
import { startFlorin } from '../support/florin.ts'
import type { Owner } from '../support/people.ts'
import { watchRefusals } from '../support/watch-refusals.ts'

const florin = watchRefusals(await startFlorin())

interface Event {
  id: string
  type: string
  account_id: string
  sequence: number
  created_at: string
  data: Record<string, unknown>
}

async function get(who: { token: string }, query = '', headers: Record<string, string> = {}) {
  return florin.call('GET', `/v1/events${query}`, { token: who.token, headers })
}

async function pay(owner: Owner, amount = 7_500): Promise<Record<string, unknown>> {
  const { account_id, token } = owner
  const body = { account_id, amount, currency: 'USD', type: 'payment' }
  const response = await florin.call('POST', '/v1/transactions', { token, body })
  assert.equal(response.status, 201, response.text)
  return response.body
}

async function all(owner: Owner): Promise<Event[]> {
  return (await get(owner, '?limit=100')).body.data
}

test('returns the object as the API returned it at the time of the event', async () => {
  const owner = await florin.people.owner()
  const { id } = await pay(owner)
  const path = `/v1/transactions/${id}`
  const retrieved = await florin.call('GET', path, { token: owner.token })
  const [event] = await all(owner)
  assert.deepEqual(Object.keys(event!), [
    'id',
    'type',
    'account_id',
    'sequence',
    'created_at',
    'data',
  ])
  assert.match(event!.id, /^evt_/)
  assert.deepEqual(event!.data, retrieved.body)
  assert.deepEqual(
    [event!.type, event!.account_id, event!.created_at],
    ['transaction.created', owner.account_id, retrieved.body.created_at],
  )
  const alone = await florin.call('GET', `/v1/events/${event!.id}`, { token: owner.token })
  assert.deepEqual([alone.status, alone.body], [200, event])
})

test('pages in both directions by cursor, without skipping or repeating events', async () => {
  const owner = await florin.people.owner()
  for (let n = 0; n < 5; n++) await pay(owner)
  const whole = await all(owner)
  assert.deepEqual(
    whole.map(({ sequence }) => sequence),
    [7, 6, 5, 4, 3, 2, 1],
  )
  const first = (await get(owner, '?limit=3')).body
  assert.deepEqual([first.object, first.data, first.has_more], ['list', whole.slice(0, 3), true])
  const older = (await get(owner, `?limit=9&starting_after=${whole[2]!.id}`)).body
  assert.deepEqual([older.data, older.has_more], [whole.slice(3), false])
  const newer = (await get(owner, `?limit=2&ending_before=${whole[4]!.id}`)).body
  assert.deepEqual([newer.data, newer.has_more], [whole.slice(2, 4), true])
})

test('returns events after a number, oldest first, and none at the end', async () => {
  const owner = await florin.people.owner()
  for (let n = 0; n < 4; n++) await pay(owner)
  const ascending = (await all(owner)).reverse()
  const page = (await get(owner, '?after=0&limit=4')).body
  assert.deepEqual([page.data, page.has_more], [ascending.slice(0, 4), true])
  assert.deepEqual((await get(owner, '?after=4')).body.data, ascending.slice(4))
  assert.deepEqual((await get(owner, '?after=99')).body.data, [])
  const some = (await get(owner, '?after=0&limit=2&type=transaction.*')).body
  assert.deepEqual([some.data, some.has_more], [ascending.slice(2, 4), true])
})

test('filters by one type or by all types of a noun', async () => {
  const owner = await florin.people.owner()
  const { id } = await pay(owner)
  await florin.call('DELETE', `/v1/transactions/${id}`, { token: owner.token })
  const types = async (type: string) =>
    (await get(owner, `?type=${type}`)).body.data.map((event: Event) => event.type)
  assert.deepEqual(await types('transaction.*'), ['transaction.canceled', 'transaction.created'])
  assert.deepEqual(await types('account.created'), ['account.created'])
  assert.deepEqual(await types('payment.*'), [])
})

test('returns 400 for invalid parameters and for unknown or foreign cursors', async () => {
  const owner = await florin.people.owner()
  const [foreign] = await all(await florin.people.owner())
  for (const query of [
    'type=transaction',
    'type=*.created',
    'type=transaction.lost',
    'after=-1',
    'after=x',
    'limit=0',
    'starting_after=evt_x',
    `starting_after=${foreign!.id}`,
    `starting_after=${toTypeId('event', newUuid(Date.now()))}`,
    `after=1&starting_after=${(await all(owner))[0]!.id}`,
  ]) {
    const response = await get(owner, `?${query}`)
    assert.deepEqual([response.status, response.body.error], [400, 'invalid_request'], query)
  }
  for (const id of [foreign!.id, 'evt_x', 'txn_01h455vb4pex5vsknk084sn02q']) {
    const response = await florin.call('GET', `/v1/events/${id}`, { token: owner.token })
    assert.deepEqual([response.status, response.body.error], [404, 'not_found'], id)
  }
})

test('returns the events of a closed account to an admin', async () => {
  const owner = await florin.people.owner()
  const admin = await florin.people.admin()
  await pay(owner)
  await florin.call('DELETE', '/v1/account', { token: owner.token })
  const { body } = await get(admin, '', { 'florin-account': owner.account_id })
  assert.equal(body.data[0].type, 'account.closed')
  assert.equal((await get(owner)).status, 401)
})

test('returns only events of objects that the caller may list', async () => {
  const owner = await florin.people.owner()
  const member = await florin.people.member(owner)
  await pay(owner)
  const narrow = await makeKey(florin, owner, ['events:read'])
  const payer = await makeKey(florin, owner, ['events:read', 'transactions:read'])
  const every = await makeKey(florin, owner, ['*'])
  const nouns = async (who: { token: string }) => {
    const { data } = (await get(who, '?limit=100')).body
    return [...new Set((data as Event[]).map(({ type }) => type.split('.')[0]))].sort()
  }
  assert.deepEqual(await nouns(owner), ['account', 'api_key', 'transaction', 'user'])
  assert.deepEqual(await nouns(member), ['account', 'transaction', 'user'])
  assert.deepEqual(await nouns({ token: narrow.key }), [])
  assert.deepEqual(await nouns({ token: payer.key }), ['transaction'])
  assert.deepEqual(await nouns({ token: every.key }), ['account', 'transaction'])
  const hidden = (await all(owner)).find(({ type }) => type === 'api_key.created')!
  for (const token of [member.token, narrow.key, every.key]) {
    const one = await florin.call('GET', `/v1/events/${hidden.id}`, { token })
    assert.equal(one.status, 404)
    const filtered = await get({ token }, '?type=api_key.*')
    assert.deepEqual([filtered.status, filtered.body.data], [200, []])
    assert.equal((await get({ token }, `?starting_after=${hidden.id}`)).status, 400)
  }
})

test('fills pages despite hidden events, and ends with the last visible one', async () => {
  const owner = await florin.people.owner()
  const member = await florin.people.member(owner)
  for (let n = 0; n < 3; n += 1) {
    await pay(owner)
    await makeKey(florin, owner, ['*'])
  }
  const visible = (await all(owner)).filter(({ type }) => !type.startsWith('api_key.'))
  const paged: Event[] = []
  for (let more = true, cursor = ''; more; ) {
    const { data, has_more } = (await get(member, `?limit=2${cursor}`)).body
    assert.equal(data.length, has_more ? 2 : visible.length - paged.length)
    paged.push(...data)
    more = has_more
    cursor = `&starting_after=${data.at(-1).id}`
  }
  assert.deepEqual(paged, visible)
  const followed: Event[] = []
  for (let more = true; more; ) {
    const after = followed.at(-1)?.sequence ?? 0
    const { data, has_more } = (await get(member, `?limit=2&after=${after}`)).body
    followed.push(...data)
    more = has_more
  }
  assert.deepEqual(followed, visible.toReversed())
})
