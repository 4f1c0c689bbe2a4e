// Changing the email of an account: at once in sandbox, after confirmation by a link in live mode.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sweepEmailChanges } from '../../src/accounts/email-change.ts'
import { findUuid } from '../../src/primitives/ids.ts'
import { live_env, startFlorin } from '../support/florin.ts'
import { credentials, type Owner } from '../support/people.ts'
import { newPassword } from '../support/secrets.ts'

const florin = await startFlorin()
const live = await florin.startSecondServer(live_env)

interface Email {
  kind: string
  recipient: string
  facts: { url: string; new_email: string; confirmed: boolean; account_name: string }
}

async function emailsOf(owner: Owner): Promise<Email[]> {
  const { rows } = await florin.db.pool.query(
    `select kind, recipient, content::json -> 'facts' as facts from emails
     where account_id = $1 order by id`,
    [findUuid('account', owner.account_id)],
  )
  return rows
}

/** The path of the link in the newest email to this address. */
async function linkTo(owner: Owner, email: string): Promise<string> {
  const emails = await emailsOf(owner)
  const message = emails.findLast((one) => one.recipient === email)
  assert.equal(message?.kind, 'email_verification')
  const { pathname, origin } = new URL(message!.facts.url)
  assert.equal(origin, 'https://pay.example')
  assert.match(pathname, /^\/confirm-email\/[\w-]{43}$/)
  return pathname
}

async function request(owner: Owner, email: string): Promise<string> {
  const response = await live.call('PATCH', '/v1/account', { token: owner.token, body: { email } })
  assert.equal(response.status, 200, response.text)
  assert.equal(response.body.email, owner.email)
  return linkTo(owner, email)
}

async function emailOf(owner: Owner): Promise<string> {
  return (await live.call('GET', '/v1/account', { token: owner.token })).body.email
}

function logIn(email: string, password: string) {
  return live.call('POST', '/v1/auth/login', { body: { email, password } })
}

const newEmail = () => credentials('new').email

test('in sandbox a new email takes effect at once, and no email is sent', async () => {
  const owner = await florin.people.owner()
  const email = newEmail()
  const body = { email }
  const response = await florin.call('PATCH', '/v1/account', { token: owner.token, body })
  assert.equal(response.body.email, email)
  assert.deepEqual(await emailsOf(owner), [])
})

test('in live mode the old email stays until the new one is confirmed', async () => {
  const owner = await florin.people.owner()
  const email = newEmail()
  const token = owner.token
  const body = { email, name: 'Acme & Sons' }
  const response = await live.call('PATCH', '/v1/account', { token, body })
  assert.deepEqual([response.status, response.body.email], [200, owner.email])
  assert.equal(response.body.name, 'Acme & Sons')
  const sent = await emailsOf(owner)
  assert.deepEqual(
    sent.map(({ kind, recipient }) => [kind, recipient]),
    [
      ['email_verification', email],
      ['email_change_notice', owner.email],
    ],
  )
  assert.deepEqual([sent[1]!.facts.new_email, sent[1]!.facts.confirmed], [email, false])
  const link = await linkTo(owner, email)
  for (const method of ['GET', 'HEAD']) assert.equal((await live.call(method, link)).status, 200)
  assert.equal(await emailOf(owner), owner.email)
  assert.equal((await logIn(email, owner.password)).status, 401)

  const done = await live.call('POST', link)
  assert.equal(done.status, 200)
  assert.match(done.text, /<h1>The email has changed<\/h1>/)
  assert.equal(await emailOf(owner), email)
  assert.equal((await logIn(email, owner.password)).status, 200)
  assert.equal((await logIn(owner.email, owner.password)).status, 401)
  const last = (await emailsOf(owner)).at(-1)!
  assert.deepEqual([last.kind, last.recipient], ['email_change_notice', owner.email])
  assert.equal(last.facts.confirmed, true)
  for (const method of ['GET', 'POST']) assert.equal((await live.call(method, link)).status, 404)

  // The old address can be used again at once.
  const body_of_next = { email: owner.email, password: newPassword() }
  const next = await florin.call('POST', '/v1/users', { body: body_of_next })
  assert.equal(next.status, 201)
})

test('the change appends events of user and account, and an audit entry', async () => {
  const owner = await florin.people.owner()
  const account_id = findUuid('account', owner.account_id)
  const email = newEmail()
  await live.call('POST', await request(owner, email))
  const { rows: events } = await florin.db.pool.query(
    `select type, data::json ->> 'email' as email from events where account_id = $1
     order by sequence desc limit 2`,
    [account_id],
  )
  assert.deepEqual(events, [
    { type: 'account.updated', email },
    { type: 'user.updated', email },
  ])
  const { rows: audit_entries } = await florin.db.pool.query(
    `select actor_role, details from audit_log where action = 'account.email_confirmed'
       and account_id = $1`,
    [account_id],
  )
  assert.deepEqual(audit_entries, [{ actor_role: 'anonymous', details: JSON.stringify({ email }) }])
})

test('exactly one of 50 concurrent confirmations succeeds', async () => {
  const owner = await florin.people.owner()
  const link = await request(owner, newEmail())
  const responses = await Promise.all(Array.from({ length: 50 }, () => live.call('POST', link)))
  const statuses = responses.map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 200).length, 1)
  assert.equal(statuses.filter((status) => status === 404).length, 49)
  const done = (await emailsOf(owner)).filter((message) => message.facts.confirmed)
  assert.equal(done.length, 1)
})

test('a newer request or the current email cancels an earlier request', async () => {
  const owner = await florin.people.owner()
  const first = await request(owner, newEmail())
  const second = await request(owner, newEmail())
  assert.equal((await live.call('POST', first)).status, 404)
  const body = { email: owner.email }
  await live.call('PATCH', '/v1/account', { token: owner.token, body })
  assert.equal((await live.call('POST', second)).status, 404)
  assert.equal(await emailOf(owner), owner.email)
})

test('a new password cancels the request', async () => {
  const owner = await florin.people.owner()
  const link = await request(owner, newEmail())
  const body = { password: newPassword() }
  const changed = await live.call('PATCH', `/v1/users/${owner.id}`, { token: owner.token, body })
  assert.equal(changed.status, 200)
  assert.equal((await live.call('POST', link)).status, 404)
  assert.equal(await emailOf(owner), owner.email)
})

test('the link is invalid while the owner is suspended', async () => {
  const owner = await florin.people.owner()
  const { token } = await florin.people.admin()
  const link = await request(owner, newEmail())
  const suspend = { token, body: { status: 'suspended' } }
  assert.equal((await live.call('PATCH', `/v1/users/${owner.id}`, suspend)).status, 200)
  assert.equal((await live.call('POST', link)).status, 404)
  await live.call('PATCH', `/v1/users/${owner.id}`, { token, body: { status: 'active' } })
  assert.equal((await logIn(owner.email, owner.password)).status, 200)
})

test('returns 409 for an email in use, when requested and when confirmed', async () => {
  const owner = await florin.people.owner()
  const lone = await florin.people.lone()
  const body = { email: lone.email.toUpperCase() }
  const rejected = await live.call('PATCH', '/v1/account', { token: owner.token, body })
  assert.deepEqual([rejected.status, rejected.body.error], [409, 'email_exists'])

  const other = newEmail()
  const link = await request(owner, other)
  const taker = { email: other, password: newPassword() }
  await florin.call('POST', '/v1/users', { body: taker })
  const taken = await live.call('POST', link)
  assert.equal(taken.status, 409)
  assert.match(taken.text, /<h1>This email is taken<\/h1>/)
  assert.equal(await emailOf(owner), owner.email)
})

test('a link expires after a day, and is invalid for a closed account', async () => {
  const owner = await florin.people.owner()
  const account_id = findUuid('account', owner.account_id)
  const late = await request(owner, newEmail())
  await florin.db.pool.query(
    `update email_changes set expires_at = now() - interval '1 second' where account_id = $1`,
    [account_id],
  )
  for (const method of ['GET', 'POST']) assert.equal((await live.call(method, late)).status, 404)
  assert.equal(await sweepEmailChanges(florin.db), 1)

  const link = await request(owner, newEmail())
  await live.call('DELETE', '/v1/account', { token: owner.token })
  for (const method of ['GET', 'POST']) assert.equal((await live.call(method, link)).status, 404)
})

test('another spelling of the same address needs no confirmation', async () => {
  const owner = await florin.people.owner()
  const body = { email: owner.email.toUpperCase() }
  const response = await live.call('PATCH', '/v1/account', { token: owner.token, body })
  assert.equal(response.body.email, owner.email.toUpperCase())
  assert.deepEqual(await emailsOf(owner), [])
})

test('returns 429 for the sixth request within an hour, and sends no email', async () => {
  const owner = await florin.people.owner()
  for (let n = 0; n < 5; n++) await request(owner, newEmail())
  const before = (await emailsOf(owner)).length
  const body = { email: newEmail() }
  const response = await live.call('PATCH', '/v1/account', { token: owner.token, body })
  assert.deepEqual([response.status, response.body.error], [429, 'rate_limited'])
  assert.equal(response.headers.get('retry-after'), '3600')
  assert.equal((await emailsOf(owner)).length, before)
})

test('a request by an admin needs the same confirmation', async () => {
  const owner = await florin.people.owner()
  const admin = await florin.people.admin()
  const email = newEmail()
  const headers = { 'florin-account': owner.account_id }
  const body = { email }
  const response = await live.call('PATCH', '/v1/account', { token: admin.token, headers, body })
  assert.deepEqual([response.status, response.body.email], [200, owner.email])
  const { rows } = await florin.db.pool.query(
    `select details from audit_log
     where action = 'account.email_change_requested' and account_id = $1`,
    [findUuid('account', owner.account_id)],
  )
  assert.deepEqual(rows, [{ details: JSON.stringify({ email }) }])
  assert.equal((await live.call('POST', await linkTo(owner, email))).status, 200)
  assert.equal(await emailOf(owner), email)
})

test('only a hash of the token is stored', async () => {
  const owner = await florin.people.owner()
  const link = await request(owner, newEmail())
  const token = link.split('/').at(-1)!
  const { rows } = await florin.db.pool.query(
    'select row_to_json(it)::text as line from email_changes as it',
  )
  for (const { line } of rows) assert.ok(!line.includes(token))
})

test('in live mode a new password must not be equal to the email', async () => {
  const lone = await florin.people.lone()
  // Full-width characters, as a Japanese keyboard enters them, are equal after normalization.
  const wide = lone.email.replace(/[a-z]/g, (character) =>
    String.fromCodePoint(character.codePointAt(0)! + 0xfee0),
  )
  for (const password of [lone.email.toUpperCase(), wide]) {
    const body = { password }
    const response = await live.call('PATCH', `/v1/users/${lone.id}`, { token: lone.token, body })
    assert.equal(response.status, 400)
    assert.match(response.body.message, /^"password" must not be easy to guess/)
  }
})
