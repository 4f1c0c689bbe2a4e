import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { SecretSearch } from '../support/find-secrets.ts'
import { startFlorin } from '../support/florin.ts'
import type { Owner } from '../support/people.ts'
import { watchRefusals } from '../support/watch-refusals.ts'
import { makeEndpoint } from './run-dispatcher.ts'

const florin = watchRefusals(await startFlorin())
const url = 'https://example.com/hook'
const path = '/v1/webhook_endpoints'

const fields = [
  'id',
  'account_id',
  'url',
  'events',
  'status',
  'disabled_reason',
  'failing_since',
  'previous_secret_expires_at',
  'replay',
  'created_at',
  'updated_at',
]

function post(owner: Owner, body: unknown, headers: Record<string, string> = {}) {
  return florin.call('POST', path, { token: owner.token, body, headers })
}

test('creates, lists, updates and deletes an endpoint, and returns its secret once', async () => {
  const owner = await florin.people.owner()
  const made = await post(owner, { url, events: ['payment.*', 'user.created', 'payment.*'] })
  assert.equal(made.status, 201)
  assert.deepEqual(Object.keys(made.body), [...fields, 'secret'])
  assert.match(made.body.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const { secret, ...endpoint } = made.body
  assert.deepEqual(endpoint.events, ['payment.*', 'user.created'])
  const one = `${path}/${endpoint.id}`
  const { token } = owner
  assert.deepEqual((await florin.call('GET', one, { token })).body, endpoint)
  assert.deepEqual((await florin.call('GET', path, { token })).body, {
    object: 'list',
    data: [endpoint],
    has_more: false,
  })
  const body = { url: 'https://example.com:8443/other?x=1', status: 'disabled' }
  const changed = await florin.call('PATCH', one, { token, body })
  assert.equal(changed.status, 200)
  assert.deepEqual(changed.body, {
    ...endpoint,
    ...body,
    disabled_reason: 'manual',
    updated_at: changed.body.updated_at,
  })
  const again = await florin.call('PATCH', one, { token, body: { status: 'enabled' } })
  assert.deepEqual([again.body.status, again.body.disabled_reason], ['enabled', null])
  const gone = await florin.call('DELETE', one, { token })
  assert.deepEqual([gone.status, gone.body.id], [200, endpoint.id])
  assert.equal((await florin.call('GET', one, { token })).status, 404)
  assert.equal((await florin.call('DELETE', one, { token })).status, 404)
})

test('an update without changes does not change updated_at', async () => {
  const { token, ...owner } = await florin.people.owner()
  const { secret: _, ...endpoint } = (await post({ token, ...owner }, { url, events: ['*'] })).body
  const one = `${path}/${endpoint.id}`
  for (const body of [{}, { url }, { events: ['*', '*'], status: 'enabled' }]) {
    // Timestamps have millisecond resolution, so a change within the same one would not show.
    await sleep(2)
    const same = await florin.call('PATCH', one, { token, body })
    assert.deepEqual(same.body, endpoint, JSON.stringify(body))
  }
})

test('rejects an unknown event type and suggests the nearest one', async () => {
  const owner = await florin.people.owner()
  for (const [event, hint] of [
    ['payment.suceeded', /Did you mean "payment\.succeeded"\?/],
    ['transactions.*', /Did you mean "transaction\.\*"\?/],
    ['PAYMENT.CREATED', /Did you mean "payment\.created"\?/],
    ['zebra', /Use \*, user\.\*/],
    ['webhook_endpoint.test', /must contain known event types/],
  ] as const) {
    const refused = await post(owner, { url, events: [event] })
    assert.equal(refused.status, 400, event)
    assert.match(refused.body.message, hint)
  }
  for (const body of [
    { url },
    { events: ['*'] },
    { url, events: [] },
    { url, events: '*' },
    { url, events: ['*'], secret: 'mine' },
    { url: 7, events: ['*'] },
  ]) {
    assert.equal((await post(owner, body)).status, 400, JSON.stringify(body))
  }
})

test('an account can have at most 20 endpoints', async () => {
  const owner = await florin.people.owner()
  for (let n = 0; n < 20; n++) await makeEndpoint(florin, owner, `${url}/${n}`)
  const refused = await post(owner, { url, events: ['*'] })
  assert.equal(refused.status, 400)
  assert.match(refused.body.message, /at most 20/)
  const { token } = owner
  const first = await florin.call('GET', `${path}?limit=15`, { token })
  const last = first.body.data.at(-1).id
  const rest = await florin.call('GET', `${path}?limit=15&starting_after=${last}`, { token })
  assert.deepEqual([first.body.has_more, rest.body.has_more], [true, false])
  const urls = [...first.body.data, ...rest.body.data].map((one) => one.url)
  assert.deepEqual(
    urls,
    Array.from({ length: 20 }, (_, n) => `${url}/${19 - n}`),
  )
})

test('a response with a secret is stored sealed and replayed byte for byte', async () => {
  const owner = await florin.people.owner()
  const key = `idempotency-${process.pid}-${Date.now()}`
  const headers = { 'idempotency-key': key }
  const body = { url, events: ['*'] }
  const made = await post(owner, body, headers)
  const again = await post(owner, body, headers)
  assert.equal(again.status, 201)
  assert.equal(again.text, made.text)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal((await post(owner, { ...body, events: ['user.*'] }, headers)).status, 422)
  const rotate = `${path}/${made.body.id}/rotate`
  const { token } = owner
  const rotated = await florin.call('POST', rotate, { token, headers: { 'idempotency-key': 'r' } })
  const replayed = await florin.call('POST', rotate, { token, headers: { 'idempotency-key': 'r' } })
  assert.equal(replayed.text, rotated.text)
  assert.notEqual(rotated.body.secret, made.body.secret)

  const search = new SecretSearch([made.body.secret, rotated.body.secret, key])
  const stored = await florin.db.pool.query(
    'select to_jsonb(it)::text as line from idempotency_keys as it',
  )
  assert.ok(stored.rows.length >= 2)
  for (const { line } of stored.rows) assert.deepEqual(search.find(line), [])
  const tables = await florin.db.pool.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname = 'public' and tablename <> 'webhook_endpoints'`,
  )
  for (const { name } of tables.rows) {
    const rows = await florin.db.pool.query(`select to_jsonb(it)::text as line from ${name} as it`)
    for (const { line } of rows.rows) assert.deepEqual(search.find(line), [], name)
  }
})

test('does not replay a sealed response that was modified in the database', async () => {
  const owner = await florin.people.owner()
  const headers = { 'idempotency-key': 'changed' }
  await post(owner, { url, events: ['*'] }, headers)
  await florin.db.pool.query(
    `update idempotency_keys set body = set_byte(body, 20, get_byte(body, 20) # 1)
     where get_byte(body, 0) = 1`,
  )
  const refused = await post(owner, { url, events: ['*'] }, headers)
  assert.equal(refused.status, 500)
  assert.doesNotMatch(refused.text, /whsec_/)
})

for (const status of ['suspended', 'pending']) {
  test(`a ${status} account keeps its endpoints and cannot create new ones`, async () => {
    const owner = await florin.people.owner()
    const admin = await florin.people.admin()
    const endpoint = await makeEndpoint(florin, owner, url)
    await florin.call('PATCH', `/v1/accounts/${owner.account_id}`, {
      token: admin.token,
      body: { status },
    })
    const { token } = owner
    assert.equal((await post(owner, { url, events: ['*'] })).status, 400)
    const one = `${path}/${endpoint.id}`
    assert.equal((await florin.call('POST', `${one}/test`, { token })).status, 400)
    const body = { after: 0 }
    assert.equal((await florin.call('POST', `${one}/replay`, { token, body })).status, 400)
    assert.equal((await florin.call('GET', one, { token })).status, 200)
    const patch = { token, body: { events: ['account.*'] } }
    assert.equal((await florin.call('PATCH', one, patch)).status, 200)
    assert.equal((await florin.call('POST', `${one}/rotate`, { token })).status, 200)
  })
}

test('records endpoint changes by admins in the audit log', async () => {
  const owner = await florin.people.owner()
  const admin = await florin.people.admin()
  const headers = { 'florin-account': owner.account_id }
  const made = await florin.call('POST', path, {
    token: admin.token,
    headers,
    body: { url, events: ['*'] },
  })
  assert.equal(made.status, 201)
  assert.equal(made.body.account_id, owner.account_id)
  await florin.call('DELETE', `${path}/${made.body.id}`, { token: admin.token, headers })
  const log = await florin.db.pool.query(
    "select action from audit_log where action like 'webhook_%' order by id",
  )
  assert.deepEqual(
    log.rows.map(({ action }) => action),
    ['webhook_endpoint.created', 'webhook_endpoint.deleted'],
  )
})

test('limits an endpoint to 60 tests per hour', async () => {
  const owner = await florin.people.owner()
  const { id } = await makeEndpoint(florin, owner, url)
  const send = () => florin.call('POST', `${path}/${id}/test`, { token: owner.token })
  assert.equal((await send()).status, 201)
  await florin.db.pool.query('update webhook_endpoints set tests = 59 where tests = 1')
  assert.equal((await send()).status, 201)
  const refused = await send()
  assert.deepEqual([refused.status, refused.body.error], [429, 'rate_limited'])
  assert.match(refused.body.message, /at most 60 tests per hour/)
  await florin.db.pool.query(
    `update webhook_endpoints set tests_since = now() - interval '61 minutes' where tests = 60`,
  )
  assert.equal((await send()).status, 201)
})
