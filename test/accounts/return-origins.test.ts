// The origins to which the payment page may send a payer back.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../src/primitives/ids.ts'
import { live_env, startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'

const florin = await startFlorin()
const live = await florin.startSecondServer(live_env)
const path = '/v1/account/return_origins'

const add = (token: string, origin: unknown, call = florin.call) =>
  call('POST', path, { token, body: { origin } })

async function listOf(token: string): Promise<string[]> {
  const { body } = await florin.call('GET', path, { token })
  return body.data.map(({ origin }: { origin: string }) => origin)
}

const remove = (token: string, origin: string) =>
  florin.call('DELETE', `${path}?origin=${encodeURIComponent(origin)}`, { token })

test('origins are added, listed and deleted', async () => {
  const { token } = await florin.people.owner()
  const empty = await florin.call('GET', path, { token })
  assert.deepEqual(empty.body, { object: 'list', data: [], has_more: false })
  const added = await add(token, 'https://shop.example')
  assert.deepEqual([added.status, added.body], [201, { origin: 'https://shop.example' }])
  await add(token, 'https://a.example:8443')
  assert.deepEqual(await listOf(token), ['https://a.example:8443', 'https://shop.example'])
  const removed = await remove(token, 'https://a.example:8443')
  assert.deepEqual([removed.status, removed.body], [200, { origin: 'https://a.example:8443' }])
  assert.deepEqual(await listOf(token), ['https://shop.example'])
  const again = await remove(token, 'https://a.example:8443')
  assert.deepEqual([again.status, again.body.error], [404, 'not_found'])
  assert.match(again.body.message, /"https:\/\/a\.example:8443"/)
})

test('an origin is stored in its normalized form, once', async () => {
  const { token } = await florin.people.owner()
  const same = ['https://shop.example', 'HTTPS://Shop.Example', 'https://shop.example:443/']
  for (const origin of same) assert.equal((await add(token, origin)).status, 201)
  await add(token, 'https://bücher.example')
  assert.deepEqual(await listOf(token), ['https://shop.example', 'https://xn--bcher-kva.example'])
  assert.equal((await remove(token, 'https://SHOP.example/')).status, 200)
})

const malformed: [origin: unknown, rule: RegExp][] = [
  ['shop.example', /"origin" must be an https URL .*; got "shop\.example"\./],
  ['', /"origin" must be an https URL/],
  ['*', /https URL/],
  ['https://', /https URL/],
  ['https:shop.example', /https URL/],
  ['https:\\\\shop.example', /https URL/],
  ['https://shop.example\\@evil.example', /https URL/],
  ['https://shop.example evil.example', /https URL/],
  ['javascript:alert(1)', /https URL .*; got "javascript:alert\(1\)"/],
  ['javascript://shop.example/%0aalert(1)', /https URL/],
  ['data:text/html,x', /https URL/],
  ['ftp://shop.example', /https URL/],
  ['//shop.example', /https URL/],
  ['https://ann:secret@shop.example', /"origin" must not contain a user name or password\./],
  ['https://ann@shop.example', /user name or password/],
  ['https://@shop.example', /user name or password/],
  ['https://shop.example.', /"origin" must have a host name without a dot at the end/],
  ['https://shop.example.:8443', /without a dot/],
  ['https://shop.example/orders', /"origin" must be an origin, without a path/],
  ['https://shop.example/?', /without a path, query or fragment, such as https:\/\/shop\.example/],
  ['https://shop.example#x', /without a path, query or fragment/],
  ['http://shop.example', /"origin" must start with https:\/\/, or be an http URL of this machine/],
  ['http://127.0.0.1.evil.example', /must start with https/],
  ['http://localhost.evil.example', /must start with https/],
  [`https://${'a'.repeat(300)}.example`, /"origin" must have at most 300 characters/],
  [7, /"origin" must be a string/],
]

test('malformed origins are rejected with the rule', async () => {
  const { token } = await florin.people.owner()
  await assertNoChanges(florin.db.pool, async () => {
    for (const [origin, rule] of malformed) {
      const { status, body } = await add(token, origin)
      assert.deepEqual([status, body.error], [400, 'invalid_request'], String(origin))
      assert.match(body.message, rule, String(origin))
      assert.doesNotMatch(body.message, /secret/)
    }
  })
  assert.equal((await florin.call('DELETE', path, { token })).status, 400)
  assert.equal((await remove(token, 'http://shop.example')).status, 400)
})

const loopback = [
  'http://localhost:3000',
  'http://app.localhost',
  'http://127.0.0.1:8080',
  'http://[::1]:3000',
]

test('http is accepted only for loopback, and only in sandbox', async () => {
  const { token } = await florin.people.owner()
  for (const origin of loopback) assert.equal((await add(token, origin)).status, 201, origin)
  assert.deepEqual(await listOf(token), loopback.toSorted())
  for (const origin of [...loopback, 'http://shop.example']) {
    const { status, body } = await add(token, origin, live.call)
    assert.equal(status, 400, origin)
    assert.match(body.message, /^"origin" must start with https:\/\/; got /)
  }
  assert.equal((await add(token, 'https://shop.example', live.call)).status, 201)
})

test('an account can have at most twenty origins', async () => {
  const { token } = await florin.people.owner()
  for (let n = 1; n <= 20; n++) await add(token, `https://shop${n}.example`)
  const { status, body } = await add(token, 'https://shop21.example')
  assert.equal(status, 400)
  assert.match(body.message, /at most 20 return origins\. Delete one first\./)
  assert.equal((await add(token, 'https://shop20.example')).status, 201)
  assert.equal((await listOf(token)).length, 20)
})

test('concurrent additions do not exceed the maximum', async () => {
  const { token } = await florin.people.owner()
  for (let n = 1; n <= 18; n++) await add(token, `https://shop${n}.example`)
  const more = Array.from({ length: 8 }, (_, n) => add(token, `https://more${n}.example`))
  const statuses = (await Promise.all(more)).map(({ status }) => status).toSorted()
  assert.deepEqual(statuses, [201, 201, 400, 400, 400, 400, 400, 400])
  assert.equal((await listOf(token)).length, 20)
})

test('an Idempotency-Key replays the response', async () => {
  const { token } = await florin.people.owner()
  const request = {
    token,
    body: { origin: 'https://shop.example' },
    headers: { 'idempotency-key': 'add-1' },
  }
  const first = await florin.call('POST', path, request)
  await remove(token, 'https://shop.example')
  const second = await florin.call('POST', path, request)
  assert.deepEqual([second.status, second.text], [first.status, first.text])
  assert.deepEqual(await listOf(token), [])
})

test('changes are recorded in the audit log, also those of the owner', async () => {
  const owner = await florin.people.owner()
  const admin = await florin.people.admin()
  const { account_id } = owner
  await add(owner.token, 'https://shop.example')
  await add(owner.token, 'https://shop.example')
  const query = `${path}?origin=https://shop.example`
  const headers = { 'florin-account': account_id }
  await florin.call('DELETE', query, { token: admin.token, headers })
  const text =
    'select actor_role, action, details, object_id from audit_log where account_id = $1 ' +
    "and action like 'account.return%' order by id"
  const { rows } = await florin.db.pool.query(text, [findUuid('account', account_id)])
  assert.deepEqual(
    rows.map(({ actor_role, action, details }) => [actor_role, action, details]),
    [
      ['owner', 'account.return_origin_added', '{"origin":"https://shop.example"}'],
      ['admin', 'account.return_origin_removed', '{"origin":"https://shop.example"}'],
    ],
  )
  assert.ok(rows.every(({ object_id }) => object_id === findUuid('account', account_id)))
})
