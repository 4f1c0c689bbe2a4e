// Password reset: requests that reveal nothing, and links that work once.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRecipient } from '../../../src/accounts/find-accounts.ts'
import { sweepLinks } from '../../../src/identity/one-time-links/link.ts'
import {
  createResetLink,
  sendResetLinks,
} from '../../../src/identity/one-time-links/request-reset.ts'
import { findUuid } from '../../../src/primitives/ids.ts'
import { startFlorin } from '../../support/florin.ts'
import { credentials, type Person } from '../../support/people.ts'
import { newPassword } from '../../support/secrets.ts'
import { makeKey } from '../api-keys/keys.ts'
import { emailsTo, expireLinks, form, linkTo, open_live_env } from './links.ts'

const florin = await startFlorin()
const live = await florin.startSecondServer(open_live_env)
const public_url = 'https://pay.example'

function sendLinks() {
  const parts = { db: live.db, public_url, findLocale: findRecipient }
  return sendResetLinks(parts, { signal: new AbortController().signal })
}

const request = (email: string) => live.call('POST', '/v1/auth/password_reset', { body: { email } })

async function resetLink({ email }: { email: string }): Promise<string> {
  assert.equal((await request(email)).status, 202)
  await sendLinks()
  return linkTo(florin.db, email, 'password_reset')
}

const submit = (link: string, password: string) =>
  live.call('POST', link, { headers: form, body: new URLSearchParams({ password }).toString() })

const logIn = (email: string, password: string) =>
  live.call('POST', '/v1/auth/login', { body: { email, password } })

const setStatus = async ({ id }: Person, status: string) => {
  const { token } = await florin.people.admin()
  const response = await florin.call('PATCH', `/v1/users/${id}`, { token, body: { status } })
  assert.equal(response.status, 200, response.text)
}

test('sets a new password, ends all sessions and keeps API keys', async () => {
  const owner = await florin.people.owner()
  const key = await makeKey(florin, owner, ['balance:read'])
  const link = await resetLink(owner)
  for (const method of ['GET', 'HEAD']) assert.equal((await live.call(method, link)).status, 200)
  assert.equal((await logIn(owner.email, owner.password)).status, 200)
  const password = newPassword()
  const done = await submit(link, password)
  assert.equal(done.status, 200)
  assert.match(done.text, /<h1>Your password has changed<\/h1>/)
  assert.equal(done.headers.get('set-cookie'), null, 'it does not log in')
  assert.equal((await live.call('GET', '/v1/account', { token: owner.token })).status, 401)
  assert.equal((await logIn(owner.email, owner.password)).status, 401)
  assert.equal((await logIn(owner.email, password)).status, 200)
  assert.equal((await live.call('GET', '/v1/account/balance', { token: key.key })).status, 200)
  for (const method of ['GET', 'POST']) assert.equal((await live.call(method, link)).status, 404)
  const kinds = (await emailsTo(florin.db, owner.email)).map(({ kind }) => kind)
  assert.deepEqual(kinds, ['password_reset', 'password_changed'])
  const { rows } = await florin.db.pool.query(
    `select actor_role, account_id from audit_log where action = 'user.password_reset'
       and object_id = $1`,
    [findUuid('user', owner.id)],
  )
  const account_id = findUuid('account', owner.account_id)
  assert.deepEqual(rows, [{ actor_role: 'anonymous', account_id }])
})

test('the email is of no account, so its link is visible to admins only', async () => {
  const owner = await florin.people.owner()
  await resetLink(owner)
  const { token } = await florin.people.admin()
  const path = `/v1/emails?to=${encodeURIComponent(owner.email)}`
  const { body } = await florin.call('GET', path, { token })
  assert.deepEqual([body.data[0].kind, body.data[0].account_id], ['password_reset', null])
  const headers = { 'florin-account': owner.account_id }
  const of_account = await florin.call('GET', path, { token, headers })
  assert.deepEqual(of_account.body.data, [])
  assert.equal((await florin.call('GET', path, { token: owner.token })).status, 401)
})

test('responds in the same way to known, unknown, suspended and throttled emails', async () => {
  const [known, suspended] = [await florin.people.owner(), await florin.people.lone()]
  await setStatus(suspended, 'suspended')
  const { email: unknown } = credentials('unknown')
  const responses = []
  for (const email of [known.email, unknown, suspended.email]) responses.push(await request(email))
  await sendLinks()
  for (let at = 0; at < 6; at++) {
    responses.push(await request(known.email))
    await sendLinks()
  }
  const distinct = new Set(responses.map(({ status, text }) => `${status} ${text}`))
  assert.equal(distinct.size, 1)
  assert.match([...distinct][0]!, /^202 /)
  assert.equal((await emailsTo(florin.db, known.email)).length, 5, 'at most five per hour')
  for (const email of [unknown, suspended.email]) {
    assert.deepEqual(await emailsTo(florin.db, email), [])
  }
  const malformed = await request('not an email')
  assert.deepEqual([malformed.status, malformed.body.error], [400, 'invalid_request'])
})

test('the page requests a link, and shows the same for every email', async () => {
  const owner = await florin.people.owner()
  const send = (email: string) =>
    live.call('POST', '/reset', { headers: form, body: new URLSearchParams({ email }).toString() })
  assert.equal((await live.call('GET', '/reset')).status, 200)
  const [known, unknown] = [await send(owner.email), await send(credentials('unknown').email)]
  assert.deepEqual([known.status, known.text], [202, unknown.text])
  await sendLinks()
  await linkTo(florin.db, owner.email, 'password_reset')
  const fault = await send('ann')
  assert.equal(fault.status, 400)
  assert.match(fault.text, /Enter an email address such as/)
})

test('requests of one IP address over the limit are ignored', async () => {
  const other = await florin.startSecondServer({ FLORIN_TRUST_PROXY: '1' })
  const owner = await florin.people.owner()
  const send = (email: string, ip: string) =>
    other.call('POST', '/v1/auth/password_reset', {
      body: { email },
      headers: { 'x-forwarded-for': ip },
    })
  for (let at = 0; at < 60; at++) {
    assert.equal((await send(`unknown-${at}@example.com`, '192.0.2.7')).status, 202)
  }
  assert.equal((await send(owner.email, '192.0.2.7')).status, 202)
  await sendLinks()
  assert.deepEqual(await emailsTo(florin.db, owner.email), [])
  await send(owner.email, '192.0.2.8')
  await sendLinks()
  assert.equal((await emailsTo(florin.db, owner.email)).length, 1)
})

test('exactly one of two concurrent uses succeeds', async () => {
  const owner = await florin.people.owner()
  const link = await resetLink(owner)
  const passwords = [newPassword(), newPassword()]
  const responses = await Promise.all(passwords.map((password) => submit(link, password)))
  const statuses = responses.map(({ status }) => status)
  assert.deepEqual([...statuses].sort(), [200, 404])
  const [winner, loser] = statuses[0] === 200 ? passwords : passwords.toReversed()
  assert.equal((await logIn(owner.email, winner!)).status, 200)
  assert.equal((await logIn(owner.email, loser!)).status, 401)
})

test('an unacceptable password is shown at the field, and the link stays valid', async () => {
  const owner = await florin.people.owner()
  const link = await resetLink(owner)
  for (const [password, fault] of [
    ['', /Choose a password/],
    ['short', /must have at least 15 characters/],
    ['passwordpassword', /must not be easy to guess/],
    [owner.email, /must not be easy to guess/],
  ] as const) {
    const response = await submit(link, password)
    assert.equal(response.status, 400)
    assert.match(response.text, fault)
    assert.match(response.text, /aria-invalid="true"/)
  }
  assert.equal((await submit(link, newPassword())).status, 200)
})

test('a link dies with the password, the email, the user and time', async () => {
  const { token } = await florin.people.admin()
  const patch = (path: string, body: object, by = token) =>
    florin.call('PATCH', path, { token: by, body })
  const ends: [string, (owner: Person) => Promise<unknown>][] = [
    ['password', ({ id }) => patch(`/v1/users/${id}`, { password: newPassword() })],
    ['email', ({ token: own }) => patch('/v1/account', { email: credentials('new').email }, own)],
    ['suspension', (owner) => setStatus(owner, 'suspended')],
    ['closing', ({ token: own }) => florin.call('DELETE', '/v1/account', { token: own })],
    ['time', () => expireLinks(florin.db)],
  ]
  for (const [name, end] of ends) {
    const owner = await florin.people.owner()
    const link = await resetLink(owner)
    await end(owner)
    assert.equal((await submit(link, newPassword())).status, 404, name)
  }
  const lone = await florin.people.lone()
  const link = await resetLink(lone)
  await florin.call('DELETE', `/v1/users/${lone.id}`, { token })
  assert.equal((await submit(link, newPassword())).status, 404)
  assert.ok((await sweepLinks(florin.db)) > 0)
})

test('a reset ends a pending email change', async () => {
  const owner = await florin.people.owner()
  const { email } = credentials('new')
  await live.call('PATCH', '/v1/account', { token: owner.token, body: { email } })
  const [change] = await emailsTo(florin.db, email)
  const confirm = new URL(change!.facts.url).pathname
  assert.equal((await live.call('GET', confirm)).status, 200)
  assert.equal((await submit(await resetLink(owner), newPassword())).status, 200)
  assert.equal((await live.call('POST', confirm)).status, 404)
})

test('a pending user who resets the password becomes active', async () => {
  const who = credentials('new')
  await live.call('POST', '/v1/users', { body: who })
  const password = newPassword()
  assert.equal((await submit(await resetLink(who), password)).status, 200)
  assert.equal((await logIn(who.email, password)).status, 200)
})

test('a user that an admin has set to pending stays pending', async () => {
  const owner = await florin.people.owner()
  const member = await florin.people.member(owner)
  const before = await resetLink(member)
  await setStatus(member, 'pending')
  assert.equal((await submit(before, newPassword())).status, 404, 'a link of before')
  const password = newPassword()
  assert.equal((await submit(await resetLink(member), password)).status, 200)
  const { status, body } = await logIn(member.email, password)
  assert.deepEqual([status, body.error], [401, 'unauthorized'])
})

test('an operator creates a link without an email', async () => {
  const owner = await florin.people.owner()
  const { url } = await createResetLink(florin.db, owner.email.toUpperCase(), public_url)
  assert.equal((await submit(new URL(url).pathname, newPassword())).status, 200)
  const { rows } = await florin.db.pool.query(
    `select actor_role from audit_log where action = 'user.reset_link_created' and object_id = $1`,
    [findUuid('user', owner.id)],
  )
  assert.deepEqual(rows, [{ actor_role: 'operator' }])
  await assert.rejects(
    createResetLink(florin.db, 'unknown@example.com', public_url),
    /No user has the email unknown@example\.com/,
  )
  const suspended = await florin.people.lone()
  await setStatus(suspended, 'suspended')
  await assert.rejects(createResetLink(florin.db, suspended.email, public_url), /is suspended/)
})
