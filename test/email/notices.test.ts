// Emails to the owner of an account: what causes them, how many, and how to turn them off.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../src/primitives/ids.ts'
import { startFlorin } from '../support/florin.ts'
import type { Owner, Person } from '../support/people.ts'

const florin = await startFlorin()
const admin = await florin.people.admin()
const path = '/v1/user/notifications'

const everything_on = {
  payment_received: true,
  payment_failed: true,
  dispute: true,
  new_login: true,
  weekly_summary: true,
}

interface NoticeRow {
  kind: string
  cause: string
  recipient: string
  language: string
  facts: { count: number; amount: number; client: string; customer_email: string }
}

async function noticesOf({ account_id }: Owner, kind: string): Promise<NoticeRow[]> {
  const { rows } = await florin.db.pool.query(
    `select kind, cause, recipient, content::json ->> 'language' as language,
       content::json -> 'facts' as facts
     from emails
     where account_id = $1 and kind = $2
     order by cause`,
    [findUuid('account', account_id), kind],
  )
  return rows
}

async function newPayment({ token, account_id }: Owner, amount: number): Promise<string> {
  const body = { account_id, amount, currency: 'USD', customer_email: 'c@example.com' }
  const { status, text, body: created } = await florin.call('POST', '/v1/payments', { token, body })
  assert.equal(status, 201, text)
  return created.id
}

async function settle(id: string, outcome: 'succeeded' | 'failed'): Promise<void> {
  const settled = await florin.call('POST', `/v1/payments/${id}/settle`, {
    token: admin.token,
    body: { outcome },
  })
  assert.equal(settled.status, 200, settled.text)
}

async function pay(owner: Owner, amount: number): Promise<void> {
  await settle(await newPayment(owner, amount), 'succeeded')
}

const turnOff = (owner: Person, name: string) =>
  florin.call('PATCH', path, { token: owner.token, body: { [name]: false } })

/** The rows of the same hour: a test that runs over the full hour has one pair per hour. */
const countOf = (rows: NoticeRow[]) => rows.reduce((sum, { facts }) => sum + facts.count, 0)
const amountOf = (rows: NoticeRow[]) => rows.reduce((sum, { facts }) => sum + facts.amount, 0)

test('settings are on until they are turned off', async () => {
  const { token } = await florin.people.owner()
  assert.deepEqual((await florin.call('GET', path, { token })).body, everything_on)
  const off = await florin.call('PATCH', path, { token, body: { weekly_summary: false } })
  assert.deepEqual([off.status, off.body], [200, { ...everything_on, weekly_summary: false }])
  assert.deepEqual((await florin.call('GET', path, { token })).body, off.body)
  const on = await florin.call('PATCH', path, { token, body: { weekly_summary: true } })
  assert.deepEqual(on.body, everything_on)
  for (const body of [{ dispute: 'no' }, { dispute: null }, { receipts: false }]) {
    const rejected = await florin.call('PATCH', path, { token, body })
    assert.deepEqual([rejected.status, rejected.body.error], [400, 'invalid_request'])
  }
})

test('the first payment of an hour has an email, and the others share one', async () => {
  const owner = await florin.people.owner()
  await pay(owner, 1_000)
  const [first, ...none] = await noticesOf(owner, 'payment_received')
  assert.deepEqual([first!.recipient, none], [owner.email, []])
  assert.equal(first!.facts.customer_email, 'c@example.com')
  assert.match(first!.cause, /^payment_received:\d{4}-\d\d-\d\dT\d\d$/)
  for (const amount of [200, 300, 400]) await pay(owner, amount)
  const rows = await noticesOf(owner, 'payment_received')
  assert.ok(rows.length === 2 || new Set(rows.map(({ cause }) => cause.slice(0, 30))).size > 1)
  assert.deepEqual([countOf(rows), amountOf(rows)], [4, 1_900])
})

test('a burst of payments loses none of them', async () => {
  const owner = await florin.people.owner()
  const ids = await Promise.all(Array.from({ length: 30 }, () => newPayment(owner, 100)))
  await Promise.all(ids.map((id) => settle(id, 'succeeded')))
  const rows = await noticesOf(owner, 'payment_received')
  assert.ok(rows.length <= 4, `${rows.length} emails`)
  assert.deepEqual([countOf(rows), amountOf(rows)], [30, 3_000])
})

test('a failed request notifies the owner', async () => {
  const owner = await florin.people.owner()
  await settle(await newPayment(owner, 700), 'failed')
  const rows = await noticesOf(owner, 'payment_failed')
  assert.deepEqual([countOf(rows), amountOf(rows)], [1, 700])
  assert.deepEqual(await noticesOf(owner, 'payment_received'), [])
})

test('what is turned off is not queued, and only for that user', async () => {
  const [owner, other] = [await florin.people.owner(), await florin.people.owner()]
  assert.equal((await turnOff(owner, 'payment_received')).status, 200)
  await Promise.all([pay(owner, 100), pay(other, 100)])
  assert.deepEqual(await noticesOf(owner, 'payment_received'), [])
  assert.equal((await noticesOf(other, 'payment_received')).length, 1)
  await turnOff(owner, 'payment_failed')
  await settle(await newPayment(owner, 700), 'failed')
  assert.deepEqual(await noticesOf(owner, 'payment_failed'), [])
  // The customer still gets the receipt.
  assert.equal((await noticesOf(owner, 'payment_receipt')).length, 1)
})

async function logIn(owner: Person, agent: string, language = 'de-CH'): Promise<void> {
  const { email, password } = owner
  const headers = { 'user-agent': agent, 'accept-language': language }
  const body = { email, password }
  const response = await florin.call('POST', '/v1/auth/login', { body, headers })
  assert.equal(response.status, 200, response.text)
}

test('a login from a new client notifies the user, in the language of the browser', async () => {
  const owner = await florin.people.owner()
  await logIn(owner, 'Firefox/140.0')
  assert.deepEqual(await noticesOf(owner, 'new_login'), [], 'the first login is expected')
  await logIn(owner, 'Firefox/141.0')
  assert.deepEqual(await noticesOf(owner, 'new_login'), [], 'an update is not a new client')
  await logIn(owner, 'Chrome/150')
  await logIn(owner, 'Chrome/151')
  const [notice, ...more] = await noticesOf(owner, 'new_login')
  assert.deepEqual([notice!.recipient, notice!.language, more], [owner.email, 'de-CH', []])
  assert.match(notice!.facts.client, /^Chrome/)
  await turnOff(owner, 'new_login')
  await logIn(owner, 'Safari')
  assert.equal((await noticesOf(owner, 'new_login')).length, 1)
})

test('the hundred most recently used clients are stored', async () => {
  const user = await florin.people.owner()
  const user_id = findUuid('user', user.id)
  await logIn(user, 'Firefox')
  await florin.db.pool.query(
    `insert into known_devices (user_id, device_hash, retain_until)
     select $1, sha256(n::text::bytea), now() + n * interval '1 minute'
     from generate_series(1, 150) as n`,
    [user_id],
  )
  await logIn(user, 'Chrome')
  const counted = await florin.db.pool.query(
    'select count(*)::int as n from known_devices where user_id = $1',
    [user_id],
  )
  assert.equal(counted.rows[0].n, 100)
  await logIn(user, 'Firefox')
  assert.equal((await noticesOf(user, 'new_login')).length, 1, 'only Chrome was new')
})

test('the email links to the settings', async () => {
  const owner = await florin.people.owner()
  await pay(owner, 100)
  const headers = { 'florin-account': owner.account_id }
  const { body } = await florin.call('GET', '/v1/emails', { token: admin.token, headers })
  const { id } = body.data.find(({ kind }: { kind: string }) => kind === 'payment_received')
  const { body: email } = await florin.call('GET', `/v1/emails/${id}`, { token: admin.token })
  for (const part of [email.text, email.html]) {
    assert.match(part, /Change your notification settings/)
    assert.match(part, /\/dashboard\/settings\/notifications/)
  }
})

test('deleting a user deletes the settings and known clients', async () => {
  const user = await florin.people.lone()
  await turnOff(user, 'new_login')
  await logIn(user, 'Firefox')
  const countRows = async () => {
    const { rows } = await florin.db.pool.query(
      `select (select count(*)::int from notification_settings where user_id = $1)
         + (select count(*)::int from known_devices where user_id = $1) as n`,
      [findUuid('user', user.id)],
    )
    return rows[0].n
  }
  assert.equal(await countRows(), 2)
  await florin.call('DELETE', `/v1/users/${user.id}`, { token: admin.token })
  assert.equal(await countRows(), 0)
})
