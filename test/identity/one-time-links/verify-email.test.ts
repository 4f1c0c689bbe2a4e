// Email verification: in live mode a user who signs up is pending until the link is used.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notifyOfSignUp } from '../../../src/identity/one-time-links/verify-email.ts'
import { deleteUnverifiedJob } from '../../../src/operations/delete-unverified.ts'
import { startFlorin } from '../../support/florin.ts'
import { credentials } from '../../support/people.ts'
import { emailsTo, expireLinks, form, linkTo, open_live_env } from './links.ts'

const florin = await startFlorin()
const live = await florin.startSecondServer(open_live_env)
const public_url = 'https://pay.example'

async function signUp(who = credentials('new')) {
  const body = { ...who, name: 'Acme Ltd', type: 'business' }
  const response = await live.call('POST', '/v1/accounts', { body })
  assert.equal(response.status, 201, response.text)
  assert.equal(response.body.status, 'active')
  const link = await linkTo(florin.db, who.email, 'sign_up_verification')
  return { ...who, link, account_id: response.body.id as string }
}

const logIn = ({ email, password }: { email: string; password: string }) =>
  live.call('POST', '/v1/auth/login', { body: { email, password } })

const submit = (link: string, password: string) =>
  live.call('POST', link, { headers: form, body: new URLSearchParams({ password }).toString() })

const kindsTo = async (email: string) => (await emailsTo(florin.db, email)).map(({ kind }) => kind)

function deleteUnverified() {
  return deleteUnverifiedJob(
    { db: florin.db, public_url },
    { signal: new AbortController().signal },
  )
}

test('in sandbox a user who signs up is active and gets no email', async () => {
  const who = credentials('new')
  const response = await florin.call('POST', '/v1/users', { body: who })
  assert.deepEqual([response.status, response.body.status], [201, 'active'])
  assert.deepEqual(await kindsTo(who.email), [])
})

test('in live mode the owner is pending until the link is used with the password', async () => {
  const who = await signUp()
  const rejected = await logIn(who)
  assert.deepEqual([rejected.status, rejected.body.error], [401, 'unauthorized'])
  assert.match(rejected.body.message, /pending/)
  for (const method of ['GET', 'HEAD']) {
    assert.equal((await live.call(method, who.link)).status, 200)
  }
  assert.equal((await logIn(who)).status, 401, 'opening the link changes nothing')
  const wrong = await submit(who.link, 'not the password of the sign-up')
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /The password is incorrect/)
  assert.match((await submit(who.link, '')).text, /Enter your password/)

  const done = await submit(who.link, who.password)
  assert.equal(done.status, 303, done.text)
  assert.equal(done.headers.get('location'), '/dashboard')
  assert.match(done.headers.get('set-cookie') ?? '', /^__Host-florin_dashboard=fds_/)
  assert.equal((await logIn(who)).status, 200)
  for (const method of ['GET', 'POST']) {
    assert.equal((await live.call(method, who.link)).status, 404)
  }
})

test('a user without an account is pending too, but not one created with a token', async () => {
  const who = credentials('new')
  const { body } = await live.call('POST', '/v1/users', { body: who })
  assert.equal(body.status, 'pending')
  const link = await linkTo(florin.db, who.email, 'sign_up_verification')
  assert.equal((await submit(link, who.password)).status, 303)
  const admin = await florin.people.admin()
  const other = credentials('new')
  const created = await live.call('POST', '/v1/users', { token: admin.token, body: other })
  assert.equal(created.body.status, 'active')
  assert.deepEqual(await kindsTo(other.email), [])
})

test('exactly one of ten concurrent confirmations succeeds', async () => {
  const who = await signUp()
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => submit(who.link, who.password)),
  )
  const statuses = responses.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [303, ...Array(9).fill(404)])
})

test('signing up again is 409 and sends another link, a few times per hour', async () => {
  const who = await signUp()
  const { email, password } = who
  for (let at = 0; at < 7; at++) {
    const response = await live.call('POST', '/v1/users', { body: { email, password } })
    assert.deepEqual([response.status, response.body.error], [409, 'email_exists'])
  }
  assert.equal((await kindsTo(who.email)).length, 5)
  const newest = await linkTo(florin.db, who.email, 'sign_up_verification')
  assert.notEqual(newest, who.link)
  assert.equal((await submit(newest, who.password)).status, 303)
  assert.equal((await live.call('GET', who.link)).status, 404, 'one use ends all links')
})

test('one inbox gets a few emails per hour, however its address is written', async () => {
  const { email, password } = credentials('new')
  const [name, domain] = email.split('@')
  const addresses = Array.from({ length: 6 }, (_, at) => `${name}+${at}@${domain}`)
  const post = (address: string) =>
    live.call('POST', '/v1/users', { body: { email: address, password } })
  for (const address of addresses) assert.equal((await post(address)).status, 201)
  const sent = await Promise.all(addresses.map(kindsTo))
  assert.equal(sent.flat().length, 5)
  const last = addresses.at(-1)!
  await florin.db.pool.query('delete from inbox_counts')
  assert.equal((await post(last)).status, 409)
  const link = await linkTo(florin.db, last, 'sign_up_verification')
  assert.equal((await submit(link, password)).status, 303, 'a later sign-up sends a link')
})

test('notifyOfSignUp notifies active users only', async () => {
  const owner = await florin.people.owner()
  await notifyOfSignUp(live.db, owner.email.toUpperCase(), public_url)
  const [email] = await emailsTo(florin.db, owner.email)
  assert.equal(email?.kind, 'sign_up_attempt')
  assert.deepEqual(email.facts, {
    account_name: 'pay.example',
    email: owner.email,
    url: 'https://pay.example/dashboard',
  })
  const pending = await signUp()
  await notifyOfSignUp(live.db, pending.email, public_url)
  assert.deepEqual(await kindsTo(pending.email), ['sign_up_verification'])
  await notifyOfSignUp(live.db, 'unknown@example.com', public_url)
  assert.deepEqual(await kindsTo('unknown@example.com'), [])
  const admin = await florin.people.admin()
  const body = { status: 'suspended' }
  await florin.call('PATCH', `/v1/users/${owner.id}`, { token: admin.token, body })
  await notifyOfSignUp(live.db, owner.email, public_url)
  assert.equal((await kindsTo(owner.email)).length, 1, 'a suspended user gets no email')
})

test('sign-ups that were not verified are deleted, and their emails are free', async () => {
  const owner = await signUp()
  const lone = credentials('new')
  await live.call('POST', '/v1/users', { body: lone })
  const verified = await signUp()
  assert.equal((await submit(verified.link, verified.password)).status, 303)
  assert.equal((await deleteUnverified()).done, 0)
  await expireLinks(florin.db)
  assert.equal((await live.call('GET', owner.link)).status, 404)
  assert.ok((await deleteUnverified()).done >= 2)
  assert.equal((await deleteUnverified()).done, 0)
  assert.equal((await logIn(verified)).status, 200)
  const admin = await florin.people.admin()
  const path = `/v1/accounts/${owner.account_id}`
  const { body } = await florin.call('GET', path, { token: admin.token })
  assert.equal(body.status, 'closed')
  for (const who of [owner, lone]) {
    assert.equal((await logIn(who)).body.error, 'invalid_credentials')
    await signUp({ email: who.email, password: who.password })
  }
})

test('a user that an admin has set to pending or active is kept', async () => {
  const admin = await florin.people.admin()
  const [activated, owner] = [await signUp(), await florin.people.owner()]
  const users = await florin.call('GET', `/v1/users?search=${activated.email}`, {
    token: admin.token,
  })
  const id = users.body.data[0].id
  for (const [user, status] of [
    [id, 'active'],
    [id, 'pending'],
    [owner.id, 'pending'],
  ]) {
    const options = { token: admin.token, body: { status } }
    assert.equal((await florin.call('PATCH', `/v1/users/${user}`, options)).status, 200)
  }
  assert.equal((await submit(activated.link, activated.password)).status, 404)
  await expireLinks(florin.db)
  await deleteUnverified()
  for (const user of [id, owner.id]) {
    const found = await florin.call('GET', `/v1/users/${user}`, { token: admin.token })
    assert.deepEqual([found.status, found.body.status], [200, 'pending'])
  }
})
