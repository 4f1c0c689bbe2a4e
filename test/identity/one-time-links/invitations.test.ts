// Invitations: an owner invites an email address, and the link works once.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sweepInvitations } from '../../../src/identity/one-time-links/accept-invitation.ts'
import { findUuid } from '../../../src/primitives/ids.ts'
import { live_env, startFlorin } from '../../support/florin.ts'
import { credentials, type Owner, type Person } from '../../support/people.ts'
import { newPassword } from '../../support/secrets.ts'
import { expireLinks, form, linkTo } from './links.ts'

const florin = await startFlorin()
const live = await florin.startSecondServer(live_env)
const path = '/v1/account/invitations'

async function invite(
  { token, account_id }: Pick<Owner, 'token' | 'account_id'>,
  { email = credentials('invited').email, role = 'member', as_admin = false } = {},
) {
  const headers: Record<string, string> = as_admin ? { 'florin-account': account_id } : {}
  const response = await live.call('POST', path, { token, headers, body: { email, role } })
  assert.equal(response.status, 201, response.text)
  return {
    id: response.body.id as string,
    email,
    link: await linkTo(florin.db, email, 'invitation'),
  }
}

const submit = (link: string, fields: { password: string; name?: string }) =>
  live.call('POST', link, { headers: form, body: new URLSearchParams(fields).toString() })

const list = async ({ token }: Person) => (await live.call('GET', path, { token })).body.data

test('an invited person chooses a password and becomes a user with the role', async () => {
  const owner = await florin.people.owner()
  for (const role of ['member', 'viewer']) {
    const { link, email, id } = await invite(owner, { role })
    const [listed] = await list(owner)
    assert.deepEqual([listed.id, listed.email, listed.role], [id, email, role])
    assert.equal(listed.invited_by, owner.id)
    const days = (Date.parse(listed.expires_at) - Date.parse(listed.created_at)) / 86_400_000
    assert.equal(days, 7)
    const opened = await live.call('GET', link)
    assert.equal(opened.status, 200)
    assert.match(opened.text, /<h1>Join Acme Ltd<\/h1>/)
    const short = await submit(link, { password: 'short', name: 'Ann' })
    assert.equal(short.status, 400)
    assert.match(short.text, /must have at least 15 characters/)
    assert.match(short.text, /value="Ann"/)
    const password = newPassword()
    const done = await submit(link, { password, name: 'Ann' })
    assert.equal(done.status, 303, done.text)
    assert.match(done.headers.get('set-cookie') ?? '', /^__Host-florin_dashboard=fds_/)
    const login = await live.call('POST', '/v1/auth/login', { body: { email, password } })
    assert.deepEqual([login.status, login.body.user.name], [200, 'Ann'])
    const { body } = await live.call('GET', '/v1/account/users', { token: owner.token })
    assert.deepEqual([body.data[0].email, body.data[0].role], [email, role])
    assert.deepEqual(await list(owner), [])
    for (const method of ['GET', 'POST']) assert.equal((await live.call(method, link)).status, 404)
  }
})

test('exactly one of two concurrent uses succeeds', async () => {
  const { link } = await invite(await florin.people.owner())
  const responses = await Promise.all(
    [newPassword(), newPassword()].map((password) => submit(link, { password })),
  )
  assert.deepEqual(responses.map(({ status }) => status).sort(), [303, 404])
})

test('every step is in the audit log', async () => {
  const owner = await florin.people.owner()
  const revoked = await invite(owner)
  await live.call('DELETE', `${path}/${revoked.id}`, { token: owner.token })
  const accepted = await invite(owner)
  await submit(accepted.link, { password: newPassword() })
  const { rows } = await florin.db.pool.query(
    `select action, actor_role from audit_log where account_id = $1 and action like 'invitation.%'
     order by id`,
    [findUuid('account', owner.account_id)],
  )
  assert.deepEqual(rows, [
    { action: 'invitation.created', actor_role: 'owner' },
    { action: 'invitation.revoked', actor_role: 'owner' },
    { action: 'invitation.created', actor_role: 'owner' },
    { action: 'invitation.accepted', actor_role: 'anonymous' },
  ])
})

test('a revoked, replaced or expired invitation does not work', async () => {
  const owner = await florin.people.owner()
  const revoked = await invite(owner)
  const { token } = owner
  assert.equal((await live.call('DELETE', `${path}/${revoked.id}`, { token })).status, 200)
  const first = await invite(owner)
  const second = await invite(owner, { email: first.email.toUpperCase() })
  assert.equal((await list(owner)).length, 1)
  assert.equal((await live.call('GET', second.link)).status, 200)
  for (const { link } of [revoked, first]) {
    assert.equal((await submit(link, { password: newPassword() })).status, 404)
  }
  await expireLinks(florin.db)
  assert.equal((await submit(second.link, { password: newPassword() })).status, 404)
  assert.deepEqual(await list(owner), [])
  assert.ok((await sweepInvitations(florin.db)) > 0)
})

test('an invitation dies when the person who invited loses the right', async () => {
  const admin = await florin.people.admin()
  const helper = await florin.people.admin()
  const setStatus = async (id: string, status: string) => {
    const options = { token: admin.token, body: { status } }
    assert.equal((await florin.call('PATCH', `/v1/users/${id}`, options)).status, 200)
  }
  const owner = await florin.people.owner()
  const { account_id } = owner
  const by_owner = await invite(owner)
  const by_helper = await invite({ ...helper, account_id }, { as_admin: true })
  await setStatus(owner.id, 'suspended')
  assert.equal((await live.call('GET', by_owner.link)).status, 404)
  assert.equal((await submit(by_owner.link, { password: newPassword() })).status, 404)
  assert.equal((await live.call('GET', by_helper.link)).status, 200)
  await setStatus(owner.id, 'active')
  assert.equal((await live.call('GET', by_owner.link)).status, 200)
  await florin.call('DELETE', `/v1/users/${helper.id}`, { token: admin.token })
  assert.equal((await submit(by_helper.link, { password: newPassword() })).status, 404)
})

test('an invitation of a suspended or closed account does not work', async () => {
  const { token: admin } = await florin.people.admin()
  const owner = await florin.people.owner()
  const { link } = await invite(owner)
  const suspend = { token: admin, body: { status: 'suspended' } }
  await florin.call('PATCH', `/v1/accounts/${owner.account_id}`, suspend)
  assert.equal((await submit(link, { password: newPassword() })).status, 404)
  const closing = await florin.people.owner()
  const other = await invite(closing)
  await florin.call('DELETE', '/v1/account', { token: closing.token })
  assert.equal((await submit(other.link, { password: newPassword() })).status, 404)
})

test('a user of another account is rejected at the invitation and at its use', async () => {
  const [owner, other] = [await florin.people.owner(), await florin.people.owner()]
  const { token } = owner
  const body = { email: other.email, role: 'member' }
  const refused = await live.call('POST', path, { token, body })
  assert.deepEqual([refused.status, refused.body.error], [409, 'email_exists'])
  const created = await live.call('POST', '/v1/users', {
    token,
    body: { email: other.email, password: newPassword() },
  })
  assert.equal(refused.text, created.text, 'it reveals what creating a user reveals')

  const { email, link } = await invite(owner)
  await florin.call('POST', '/v1/users', { body: { email, password: newPassword() } })
  const taken = await submit(link, { password: newPassword() })
  assert.equal(taken.status, 409)
  assert.match(taken.text, /already in use/)
})

test('an account has at most 100 open invitations', async () => {
  const owner = await florin.people.owner()
  await florin.db.pool.query(
    `insert into invitations select $1, gen_random_uuid(), n || '@example.com', n || '@example.com',
       'member', sha256((gen_random_uuid()::text)::bytea), $2, now() + interval '1 day'
     from generate_series(1, 100) as n`,
    [findUuid('account', owner.account_id), findUuid('user', owner.id)],
  )
  const body = { email: credentials('invited').email, role: 'member' }
  const { token } = owner
  const response = await live.call('POST', path, { token, body })
  assert.deepEqual([response.status, response.body.error], [409, 'conflict'])
})
