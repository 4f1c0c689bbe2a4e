// Every write that waited for a lock while its token was revoked is rejected.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUuid } from '../../../src/primitives/ids.ts'
import { sha256 } from '../../../src/primitives/secrets.ts'
import { startFlorin } from '../../support/florin.ts'
import { hashDatabase } from '../../support/hash-database.ts'
import { credentials, type Owner, type Person } from '../../support/people.ts'
import { runWhileBlocked } from '../../support/run-while-blocked.ts'
import { newPassword } from '../../support/secrets.ts'
import { until } from '../../support/until.ts'
import { holdLock, waitForWaiters } from '../../transactions/transaction-fixtures.ts'

const florin = await startFlorin()
const owner = await florin.people.owner()
const member = await florin.people.member(owner)
const admin = await florin.people.admin()
const lone = await florin.people.lone()

interface Write {
  by: Person
  method: string
  path: string
  body?: () => unknown
  headers?: Record<string, string>
}

const named = { 'florin-account': owner.account_id }
const ofMember = `/v1/users/${member.id}`
const ofLone = `/v1/users/${lone.id}`
const account = { name: 'New Ltd', type: 'business' }

/** Writes to an account wait for the account lock. */
const accountWrites: Record<string, Write> = {
  'a new member': { by: owner, method: 'POST', path: '/v1/users', body: () => credentials('new') },
  'a new member by an admin': {
    by: admin,
    method: 'POST',
    path: '/v1/users',
    body: () => credentials('new'),
    headers: named,
  },
  'a name': { by: owner, method: 'PATCH', path: ofMember, body: () => ({ name: 'New' }) },
  'a password': {
    by: owner,
    method: 'PATCH',
    path: ofMember,
    body: () => ({ password: newPassword() }),
  },
  'an own name': { by: member, method: 'PATCH', path: ofMember, body: () => ({ name: 'New' }) },
  'a status by an admin': {
    by: admin,
    method: 'PATCH',
    path: ofMember,
    body: () => ({ status: 'suspended' }),
  },
  'a deletion': { by: owner, method: 'DELETE', path: ofMember },
  'an own deletion': { by: member, method: 'DELETE', path: ofMember },
  'a deletion by an admin': { by: admin, method: 'DELETE', path: ofMember },
  'an account name': {
    by: owner,
    method: 'PATCH',
    path: '/v1/account',
    body: () => ({ name: 'New' }),
  },
  'an account email': {
    by: owner,
    method: 'PATCH',
    path: '/v1/account',
    body: () => ({ email: credentials('new').email }),
  },
  'an account status': {
    by: admin,
    method: 'PATCH',
    path: `/v1/accounts/${owner.account_id}`,
    body: () => ({ status: 'suspended' }),
  },
  'a closing': { by: owner, method: 'DELETE', path: '/v1/account' },
  'a closing by an admin': { by: admin, method: 'DELETE', path: '/v1/account', headers: named },
  'the end of another session': {
    by: owner,
    method: 'DELETE',
    path: '/v1/auth/session',
    body: () => ({ session_id: owner.session_id }),
  },
}

/** Other writes wait for the session, which a revocation locks and deletes. */
const otherWrites: Record<string, Write> = {
  'an own name': { by: lone, method: 'PATCH', path: ofLone, body: () => ({ name: 'New' }) },
  'an own deletion': { by: lone, method: 'DELETE', path: ofLone },
  'an own account': {
    by: lone,
    method: 'POST',
    path: '/v1/accounts',
    body: () => ({ email: lone.email, password: lone.password, ...account }),
  },
  'the own session': { by: lone, method: 'DELETE', path: '/v1/auth/session' },
  'a status by an admin': {
    by: admin,
    method: 'PATCH',
    path: ofLone,
    body: () => ({ status: 'suspended' }),
  },
  'a lone user by an admin': {
    by: admin,
    method: 'POST',
    path: '/v1/users',
    body: () => credentials('new'),
  },
  'an account by an admin': {
    by: admin,
    method: 'POST',
    path: '/v1/accounts',
    body: () => ({ ...credentials('new'), ...account }),
  },
}

for (const [name, write] of Object.entries(accountWrites)) {
  test(`${name} is rejected if the token was revoked under the account lock`, async () => {
    await assertRejected(write, {
      text: 'select 1 from balances where account_id = $1 for update',
      values: [findUuid('account', owner.account_id)],
    })
  })
}

for (const [name, write] of Object.entries(otherWrites)) {
  test(`${name} without an account is rejected if the token was revoked meanwhile`, async () => {
    await assertRejected(write)
  })
}

async function assertRejected(write: Write, locking?: { text: string; values: unknown[] }) {
  const { token } = await florin.people.session(write.by)
  const sessions = `select 1 from sessions where user_id = $1 order by id for update`
  const before = await hashDatabase(florin.db.pool, { except: ['tokens', 'sessions'] })
  const response = await runWhileBlocked(
    florin,
    locking ?? { text: sessions, values: [findUuid('user', write.by.id)] },
    () => send(write, token),
    // Does what a revocation does.
    (holder) =>
      holder.query(
        `with gone as (delete from tokens where token_hash = $1 returning principal_id),
           others as (delete from tokens where principal_id in (select principal_id from gone))
         delete from sessions where id in (select principal_id from gone)`,
        [sha256(token)],
      ),
  )
  assert.equal(response.status, 401, response.text)
  assert.equal(response.body.error, 'unauthorized')
  assert.equal(response.headers.get('www-authenticate'), 'Bearer')
  const after = await hashDatabase(florin.db.pool, { except: ['tokens', 'sessions'] })
  assert.deepEqual(after, before)
}

function send({ method, path, body, headers = {} }: Write, token: string) {
  return florin.call(method, path, { token, body: body?.(), headers })
}

test('after a concurrent closing, users of the account get 401 and admins 404', async () => {
  const cases: [write: Omit<Write, 'by'>, by: 'owner' | 'admin', expected: string][] = [
    [{ method: 'DELETE', path: '/v1/account' }, 'owner', '401 unauthorized'],
    [{ method: 'DELETE', path: '/v1/account' }, 'admin', '404 not_found'],
    [accountWrites['an account name']!, 'owner', '401 unauthorized'],
    [accountWrites['a new member']!, 'owner', '401 unauthorized'],
    [accountWrites['a new member']!, 'admin', '404 not_found'],
  ]
  for (const [write, by, expected] of cases) {
    const closing = await florin.people.owner()
    const sender = by === 'owner' ? closing : admin
    const headers = { 'florin-account': closing.account_id }
    const response = await whenClosed(closing, () =>
      send({ ...write, by: sender, headers }, sender.token),
    )
    assert.equal(`${response.status} ${response.body.error}`, expected)
  }
})

test('returns 404 for a user of an account that was closed meanwhile', async () => {
  const bodies = new Set<string>()
  for (const method of ['PATCH', 'DELETE']) {
    const closing = await florin.people.owner()
    const { id } = await florin.people.member(closing)
    const body = method === 'PATCH' ? { name: 'New' } : undefined
    const path = `/v1/users/${id}`
    const { token } = admin
    const response = await whenClosed(closing, () => florin.call(method, path, { token, body }))
    const again = await florin.call(method, path, { token, body })
    assert.equal(response.status, 404)
    assert.equal(response.text, again.text)
    bodies.add(response.text)
  }
  assert.equal(bodies.size, 1)
})

/** Sends the write while a closing of the account is first in the queue for the account lock. */
async function whenClosed<Result>(closing: Owner, write: () => Promise<Result>): Promise<Result> {
  const { token } = closing
  const locking = {
    text: 'select 1 from balances where account_id = $1 for update',
    values: [findUuid('account', closing.account_id)],
  }
  let sent: Promise<Result> | undefined
  const closed = await runWhileBlocked(
    florin,
    locking,
    () => florin.call('DELETE', '/v1/account', { token }),
    async () => {
      sent = write()
      await waitForWaiters(florin, 2)
    },
  )
  assert.equal(closed.status, 200)
  return sent!
}

test('a logout that waited while its user opened an account takes the account lock', async () => {
  const shop = await florin.people.owner()
  const uuid = findUuid('account', shop.account_id)!
  const person = await florin.people.lone()
  const user_id = findUuid('user', person.id)!
  const count = async (condition: string) => {
    const text = `select count(*)::int as n from sessions where user_id = $1 and ${condition}`
    return (await florin.db.pool.query(text, [user_id])).rows[0].n
  }
  const release = await holdLock(florin, { ...shop, uuid })
  const text = 'select 1 from sessions where user_id = $1 for update'
  const ended = runWhileBlocked(
    florin,
    { text, values: [user_id] },
    () => florin.call('DELETE', '/v1/auth/session', { token: person.token }),
    // Does what opening an account does with the sessions of the owner.
    (holder) =>
      holder.query('update sessions set account_id = $2 where user_id = $1', [user_id, uuid]),
  )
  await until(async () => (await count('account_id is not null')) > 0)
  await waitForWaiters(florin)
  assert.ok((await count('true')) > 0, 'nothing is revoked yet')
  await release()
  assert.equal((await ended).status, 200)
  assert.equal(await count('true'), 0)
})
