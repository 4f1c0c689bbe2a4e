// Limits for failed logins. The server trusts one proxy, so a test can use any IP address.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inHashingSlot } from '../../../src/identity/users/password.ts'
import { sha256 } from '../../../src/primitives/secrets.ts'
import type { ApiResponse } from '../../support/call.ts'
import { startFlorin } from '../../support/florin.ts'
import { assertNoChanges } from '../../support/hash-database.ts'
import { credentials, type Person } from '../../support/people.ts'
import { newPassword } from '../../support/secrets.ts'

const florin = await startFlorin({ FLORIN_TRUST_PROXY: '1' })

let last_address = 0
function newAddress(): string {
  last_address += 1
  return `203.0.113.${last_address}`
}

function logIn(email: string, password: string, address: string): Promise<ApiResponse> {
  return florin.call('POST', '/v1/auth/login', {
    body: { email, password },
    headers: { 'x-forwarded-for': address },
  })
}

function failLogin(email: string, address: string): Promise<ApiResponse> {
  return logIn(email, newPassword(), address)
}

async function failLogins(count: number, email: string, address: string): Promise<number[]> {
  const responses = await Promise.all(
    Array.from({ length: count }, () => failLogin(email, address)),
  )
  for (const response of responses) if (response.status === 429) assertThrottled(response)
  return responses.map(({ status }) => status).sort()
}

function assertThrottled(response: ApiResponse): number {
  assert.equal(response.status, 429, response.text)
  assert.deepEqual(Object.keys(response.body), ['error', 'message'])
  assert.equal(response.body.error, 'rate_limited')
  const wait_s = Number(response.headers.get('retry-after'))
  assert.ok(Number.isInteger(wait_s) && wait_s >= 1, 'Retry-After is a positive integer')
  return wait_s
}

function failures(count: number, kind: 'wrong' | 'throttled' = 'wrong'): number[] {
  return Array(count).fill(kind === 'wrong' ? 401 : 429)
}

/** Moves the failures of a key into the past. Keys are stored as hashes of these texts. */
async function moveBack(key: string, by: string): Promise<void> {
  const text = `update login_failures
    set failed_at = array(select moment - $2::interval from unnest(failed_at) as moment)
    where key_hash = $1`
  const { rowCount } = await florin.db.pool.query(text, [sha256(key), by])
  assert.equal(rowCount, 1, `there are failures under ${key}`)
}

/** Adds failures to a key without sending hundreds of requests. */
async function addFailures(key: string, count: number, ago: string): Promise<void> {
  const text = `insert into login_failures (key_hash, failed_at, retain_until)
    values ($1, array_fill(now() - $3::interval, array[$2::int]), now() + interval '1 hour')
    on conflict (key_hash) do update set failed_at = excluded.failed_at`
  await florin.db.pool.query(text, [sha256(key), count, ago])
}

test('rejects the 11th attempt for one email from one IP address without a check', async () => {
  const { email, password } = await florin.people.lone()
  const address = newAddress()
  assert.deepEqual(await failLogins(10, email, address), failures(10))
  const response = await assertNoChanges(florin.db.pool, () => logIn(email, password, address))
  const wait_s = assertThrottled(response)
  assert.ok(wait_s > 14 * 60 && wait_s <= 15 * 60, `${wait_s} s`)
  assert.equal(
    (await logIn(email, password, newAddress())).status,
    200,
    'other addresses are not locked',
  )
})

test('throttles an unknown email like a known one', async () => {
  const { email } = credentials('unknown')
  const address = newAddress()
  assert.deepEqual(await failLogins(11, email, address), [...failures(10), 429])
})

test('checks exactly 10 of 30 concurrent attempts', async () => {
  const { email } = await florin.people.lone()
  const address = newAddress()
  const expected = [...failures(10), ...failures(20, 'throttled')]
  assert.deepEqual(await failLogins(30, email, address), expected)
  assert.deepEqual(await failLogins(3, email, address), failures(3, 'throttled'))
})

test('rejects a throttled attempt before hashing', async () => {
  const { email } = await florin.people.lone()
  const address = newAddress()
  await addFailures(`pair\n${email}\n${address}`, 10, '0 s')
  const gate = Promise.withResolvers<void>()
  const busy = [1, 2].map(() => inHashingSlot({ key: 'busy' }, 'login', () => gate.promise))
  assertThrottled(await failLogin(email, address))
  gate.resolve()
  await Promise.all(busy)
})

test('a successful login resets the pair of email and address', async () => {
  const { email, password } = await florin.people.lone()
  const address = newAddress()
  await addFailures(`pair\n${email}\n${address}`, 9, '1 s')
  assert.equal((await logIn(email, password, address)).status, 200)
  assert.deepEqual(await failLogins(3, email, address), failures(3))
})

test('counts an email case-insensitively', async () => {
  const { email } = await florin.people.lone()
  const address = newAddress()
  await addFailures(`pair\n${email}\n${address}`, 9, '1 s')
  assert.equal((await failLogin(email.toUpperCase(), address)).status, 401)
  assertThrottled(await failLogin(email, address))
})

test('does not count the correct password of a suspended user as a failure', async () => {
  const owner = await florin.people.owner()
  const { id, email, password } = await florin.people.member(owner)
  const body = { status: 'suspended' }
  await florin.call('PATCH', `/v1/users/${id}`, { token: owner.token, body })
  const address = newAddress()
  await addFailures(`pair\n${email}\n${address}`, 9, '1 s')
  assert.equal((await logIn(email, password, address)).body.error, 'unauthorized')
  assert.equal((await failLogin(email, address)).body.error, 'invalid_credentials')
  assertThrottled(await logIn(email, password, address))
})

test('the window of 15 minutes is sliding', async () => {
  const { email, password } = await florin.people.lone()
  const address = newAddress()
  const pair = `pair\n${email}\n${address}`
  await addFailures(pair, 9, '10 min')
  assert.equal((await failLogin(email, address)).status, 401)
  const wait_s = assertThrottled(await failLogin(email, address))
  assert.ok(wait_s > 4 * 60 && wait_s <= 5 * 60, `${wait_s} s until the oldest expires`)
  await moveBack(pair, '5 min 1 s')
  assert.equal((await failLogin(email, address)).status, 401, 'nine have expired, one has not')
  await moveBack(pair, '15 min')
  assert.equal((await logIn(email, password, address)).status, 200)
})

test('limits an IP address to 300 failures per hour for all emails', async () => {
  const { email, password } = await florin.people.lone()
  const address = newAddress()
  await addFailures(`address\n${address}`, 299, '59 min')
  assert.equal((await failLogin(credentials('unknown').email, address)).status, 401)
  const wait_s = assertThrottled(await logIn(email, password, address))
  assert.ok(wait_s > 0 && wait_s <= 60, `${wait_s} s`)
  assert.equal((await logIn(email, password, newAddress())).status, 200)
  await moveBack(`address\n${address}`, '61 s')
  assert.equal((await logIn(email, password, address)).status, 200)
})

test('limits an email to 100 failures per hour, except from known addresses', async () => {
  const { email, password } = await florin.people.lone()
  const home = newAddress()
  assert.equal((await logIn(email, password, home)).status, 200)
  await addFailures(`email\n${email}`, 99, '59 min')
  assert.equal((await failLogin(email, newAddress())).status, 401)
  assertThrottled(await logIn(email, password, newAddress()))
  assert.equal((await failLogin(email, home)).status, 401, 'a known address has only its own limit')
  assert.equal((await logIn(email, password, home)).status, 200)
  await moveBack(`email\n${email}`, '61 s')
  assert.equal((await logIn(email, password, newAddress())).status, 200)
})

test('an address is known for 30 days', async () => {
  const { email, password } = await florin.people.lone()
  const home = newAddress()
  assert.equal((await logIn(email, password, home)).status, 200)
  await addFailures(`email\n${email}`, 100, '1 min')
  const shortenBy = (time: string) =>
    florin.db.pool.query(
      'update login_addresses set retain_until = retain_until - $2::interval where key_hash = $1',
      [sha256(`known\n${email}\n${home}`), time],
    )
  await shortenBy('29 days 23 h')
  assert.equal((await failLogin(email, home)).status, 401, 'the address is still known')
  await shortenBy('1 h')
  assertThrottled(await logIn(email, password, home))
})

test('wrong passwords at POST /v1/accounts count as failed logins', async () => {
  const lone = await florin.people.lone()
  const address = newAddress()
  await addFailures(`pair\n${lone.email}\n${address}`, 7, '1 s')
  for (let attempt = 0; attempt < 3; attempt++) {
    const response = await open(lone, newPassword(), address)
    assert.equal(response.status, 401)
    assert.equal(response.body.error, 'unauthorized')
  }
  assertThrottled(await assertNoChanges(florin.db.pool, () => open(lone, lone.password, address)))
  assertThrottled(await logIn(lone.email, lone.password, address))
  assert.equal((await open(lone, lone.password, newAddress())).status, 201)
})

function open({ email, token }: Person, password: string, address: string): Promise<ApiResponse> {
  return florin.call('POST', '/v1/accounts', {
    token,
    body: { email, password, name: 'New Ltd', type: 'individual' },
    headers: { 'x-forwarded-for': address },
  })
}

test('counts the address that the trusted proxy reports, not what a client claims', async () => {
  const { email } = await florin.people.lone()
  const address = newAddress()
  await addFailures(`pair\n${email}\n${address}`, 9, '1 s')
  const claims = [1, 2, 3].map(() => failLogin(email, `${newAddress()}, ${address}`))
  const statuses = (await Promise.all(claims)).map(({ status }) => status).sort()
  assert.deepEqual(statuses, [401, 429, 429])
})

test('counts the addresses of one IPv6 /64 network as one', async () => {
  const { email } = await florin.people.lone()
  await addFailures(`pair\n${email}\n2001:db8:1:2::/64`, 9, '1 s')
  const claims = [1, 2, 3].map((at) => failLogin(email, `2001:db8:1:2::${at}`))
  const statuses = (await Promise.all(claims)).map(({ status }) => status).sort()
  assert.deepEqual(statuses, [401, 429, 429])
  assert.equal((await failLogin(email, '2001:db8:1:3::1')).status, 401)
})
