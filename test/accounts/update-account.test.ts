import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiResponse } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import { auditEntriesAbout, eventsOf } from '../support/history.ts'
import { credentials, type Owner } from '../support/people.ts'
import { newPassword } from '../support/secrets.ts'
import { watchRefusals } from '../support/watch-refusals.ts'

const florin = watchRefusals(await startFlorin())
const admin = await florin.people.admin()
const owner = await florin.people.owner()

function update({ token }: { token: string }, body: unknown): Promise<ApiResponse> {
  return florin.call('PATCH', '/v1/account', { token, body })
}

function updateAsAdmin({ account_id }: Owner, body: unknown): Promise<ApiResponse> {
  const headers = { 'florin-account': account_id }
  return florin.call('PATCH', '/v1/account', { token: admin.token, body, headers })
}

async function retrieve({ account_id }: Owner) {
  return (await florin.call('GET', `/v1/accounts/${account_id}`, { token: admin.token })).body
}

async function logIn(email: string, password: string): Promise<number> {
  const body = { email, password }
  return (await florin.call('POST', '/v1/auth/login', { body })).status
}

test('the message mentions the header only if the header has an unknown account', async () => {
  const unknown = { ...owner, account_id: 'acct_00000000000000000000000000' }
  const rejected = await updateAsAdmin(unknown, { name: 'Umbrella' })
  assert.equal(rejected.status, 404)
  assert.match(rejected.body.message, /the id in the Florin-Account header/)
  const { token } = admin
  const by_path = await florin.call('GET', `/v1/accounts/${unknown.account_id}`, { token })
  assert.equal(by_path.body.message, 'No account with this id exists, or it is closed.')
})

test('changes only the given fields, and merges settings', async () => {
  let expected = await retrieve(owner)
  const changes: [unknown, (before: typeof expected) => object][] = [
    [{ name: 'Umbrella' }, () => ({ name: 'Umbrella' })],
    [
      { settings: { timezone: 'Asia/Tokyo' } },
      ({ settings }) => ({ settings: { ...settings, timezone: 'Asia/Tokyo' } }),
    ],
    [
      { settings: { language: 'ja', currency: 'JPY' } },
      ({ settings }) => ({ settings: { ...settings, language: 'ja', currency: 'JPY' } }),
    ],
    [
      { name: 'Acme', settings: { currency: 'USD' } },
      ({ settings }) => ({ name: 'Acme', settings: { ...settings, currency: 'USD' } }),
    ],
  ]
  for (const [body, change] of changes) {
    const response = await update(owner, body)
    assert.equal(response.status, 200, response.text)
    assert.ok(response.body.updated_at >= expected.updated_at)
    expected = { ...expected, ...change(expected), updated_at: response.body.updated_at }
    assert.deepEqual(response.body, expected)
    assert.deepEqual(await retrieve(owner), expected)
  }
})

test('an update without effect writes nothing', async () => {
  const shown = await retrieve(owner)
  const { name, email, settings } = shown
  for (const body of [
    {},
    { name },
    { email },
    { settings },
    { settings: {} },
    { name, settings },
  ]) {
    for (const change of [update, updateAsAdmin]) {
      const response = await assertNoChanges(florin.db.pool, () =>
        change === update ? update(owner, body) : updateAsAdmin(owner, body),
      )
      assert.equal(response.status, 200)
      assert.deepEqual(response.body, shown)
    }
  }
  const { token } = admin
  const path = `/v1/accounts/${owner.account_id}`
  const same = await assertNoChanges(florin.db.pool, () =>
    florin.call('PATCH', path, { token, body: { status: 'active' } }),
  )
  assert.deepEqual(same.body, shown)
})

test('an invalid field rejects the whole update', async () => {
  const bodies: [unknown, RegExp][] = [
    [{ name: 'New', email: 'no email' }, /^"email" /],
    [{ name: 'New', email: null }, /^"email" /],
    [{ name: null }, /^"name" /],
    [{ name: '' }, /^"name" /],
    [{ name: 'New', type: 'individual' }, /type/],
    [{ name: 'New', status: 'closed' }, /status/],
    [{ name: 'New', password: newPassword() }, /password/],
    [{ name: 'New', settings: { currency: 'XYZ' } }, /^"settings\.currency" /],
    [{ name: 'New', settings: { currency: null } }, /^"settings\.currency" /],
    [{ name: 'New', settings: { timezone: 'UTC+2' } }, /^"settings\.timezone" /],
    [{ name: 'New', settings: { language: '' } }, /^"settings\.language" /],
    [{ name: 'New', settings: { theme: 'dark' } }, /settings\.theme/],
    [{ name: 'New', settings: null }, /^"settings" /],
    [undefined, /body/i],
  ]
  for (const [body, message] of bodies) {
    const response = await assertNoChanges(florin.db.pool, () => update(owner, body))
    assert.equal(response.status, 400, response.text)
    assert.equal(response.body.error, 'invalid_request')
    assert.match(response.body.message, message)
  }
})

test('only the currency cannot be changed after the first transaction', async () => {
  const paid = await florin.people.owner()
  const payment = { account_id: paid.account_id, amount: 100, currency: 'USD', type: 'payment' }
  const made = await florin.call('POST', '/v1/transactions', { token: paid.token, body: payment })
  assert.equal(made.status, 201)
  for (const change of [update, updateAsAdmin]) {
    const body = { name: 'New', settings: { currency: 'EUR', language: 'de' } }
    const response = await assertNoChanges(florin.db.pool, () =>
      change === update ? update(paid, body) : updateAsAdmin(paid, body),
    )
    assert.equal(response.status, 400)
    assert.match(response.body.message, /^"settings\.currency" /)
  }
  const same = await update(paid, { settings: { currency: 'USD', language: 'de' } })
  assert.equal(same.status, 200)
  assert.equal(same.body.settings.language, 'de')
})

test('the owner logs in with a new email, and the session continues', async () => {
  const moving = await florin.people.owner()
  const { email } = credentials('moved')
  const before = (await eventsOf(florin, moving.account_id)).length
  const response = await update(moving, { email })
  assert.equal(response.status, 200)
  assert.equal(response.body.email, email)
  assert.equal(await logIn(moving.email, moving.password), 401)
  assert.equal(await logIn(email, moving.password), 200)
  const user = await florin.call('GET', `/v1/users/${moving.id}`, { token: moving.token })
  assert.equal(user.body.email, email)
  const events = await eventsOf(florin, moving.account_id, before)
  assert.deepEqual(
    events.map(({ type, data }) => [type, data]),
    [
      ['user.updated', user.body],
      ['account.updated', response.body],
    ],
  )
})

test('the current email in another case is not a conflict', async () => {
  const moving = await florin.people.owner()
  const email = moving.email.toUpperCase()
  const response = await update(moving, { email })
  assert.equal(response.status, 200)
  assert.equal(response.body.email, email)
  assert.equal(await logIn(moving.email, moving.password), 200)
})

test('returns 409 for an email of any user or account', async () => {
  const other = await florin.people.owner()
  const lone = await florin.people.lone()
  const member = await florin.people.member(owner)
  const closed = await florin.people.owner()
  await florin.call('DELETE', '/v1/account', { token: closed.token })
  for (const { email } of [other, lone, member, closed, admin]) {
    for (const taken of [email, email.toUpperCase()]) {
      const body = { name: 'New', email: taken }
      const response = await assertNoChanges(florin.db.pool, () => update(owner, body))
      assert.equal(response.status, 409)
      assert.equal(response.body.error, 'email_exists')
    }
  }
})

test('exactly one of many concurrent requests for one email succeeds', async () => {
  const owners = await Promise.all(Array.from({ length: 8 }, () => florin.people.owner()))
  const { email } = credentials('wanted')
  const responses = await Promise.all(owners.map((one) => update(one, { email })))
  const statuses = responses.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [200, ...Array(7).fill(409)])
})

test('two accounts cannot swap their emails, and neither is lost', async () => {
  const [one, two] = [await florin.people.owner(), await florin.people.owner()]
  const responses = await Promise.all([
    update(one, { email: two.email }),
    update(two, { email: one.email }),
  ])
  assert.deepEqual(
    responses.map(({ status }) => status),
    [409, 409],
  )
  for (const { email, password } of [one, two]) assert.equal(await logIn(email, password), 200)
})

test('an update appends one event, and an audit entry if an admin does it', async () => {
  const updated = await florin.people.owner()
  const before = (await eventsOf(florin, updated.account_id)).length
  const first = await update(updated, { name: 'One' })
  const second = await updateAsAdmin(updated, { name: 'Two', settings: { language: 'fr' } })
  const events = await eventsOf(florin, updated.account_id, before)
  assert.deepEqual(
    events.map(({ type, data }) => [type, data]),
    [
      ['account.updated', first.body],
      ['account.updated', second.body],
    ],
  )
  const audit_entries = await auditEntriesAbout(florin, updated.account_id)
  const updates = audit_entries.filter(({ action }) => action === 'account.updated')
  assert.deepEqual(
    updates.map(({ actor_id, details }) => [actor_id, details]),
    [[admin.id, { name: 'Two', language: 'fr' }]],
  )
})

test('an admin sets the status to active, suspended or pending', async () => {
  const moved = await florin.people.owner()
  const path = `/v1/accounts/${moved.account_id}`
  const { token } = admin
  for (const status of ['suspended', 'pending', 'active']) {
    const response = await florin.call('PATCH', path, { token, body: { status } })
    assert.equal(response.status, 200)
    assert.equal(response.body.status, status)
    assert.deepEqual(await retrieve(moved), response.body)
  }
  for (const body of [{}, { status: 'closed' }, { status: null }, { name: 'x' }]) {
    const response = await assertNoChanges(florin.db.pool, () =>
      florin.call('PATCH', path, { token, body }),
    )
    assert.equal(response.status, 400)
  }
  const types = (await eventsOf(florin, moved.account_id)).map(({ type }) => type)
  assert.deepEqual(types.slice(2), Array(3).fill('account.updated'))
  const audit_entries = await auditEntriesAbout(florin, moved.account_id)
  assert.equal(audit_entries.filter(({ actor_id }) => actor_id === admin.id).length, 3)
})

for (const status of ['suspended', 'pending']) {
  test(`a ${status} account can be read, updated and closed, but not get members`, async () => {
    const halted = await florin.people.owner()
    const path = `/v1/accounts/${halted.account_id}`
    await florin.call('PATCH', path, { token: admin.token, body: { status } })
    const { token } = halted
    const body = credentials('member')
    const made = await assertNoChanges(florin.db.pool, () =>
      florin.call('POST', '/v1/users', { token, body }),
    )
    assert.equal(made.status, 400)
    assert.equal(made.body.error, 'invalid_request')
    assert.equal((await florin.call('GET', '/v1/account', { token })).body.status, status)
    assert.equal((await update(halted, { name: 'Still here' })).status, 200)
    assert.equal((await florin.call('DELETE', '/v1/account', { token })).status, 200)
  })
}

test('40 concurrent updates all succeed, with ascending times', async () => {
  const changes = Array.from({ length: 40 }, (_, at) => update(owner, { name: `Acme ${at}` }))
  for (const { status, text } of await Promise.all(changes)) assert.equal(status, 200, text)
  const events = await eventsOf(florin, owner.account_id)
  const times = events.map(({ data }) => data.updated_at)
  assert.deepEqual(times, [...times].sort())
})
