// How often a password may be guessed. One trusted proxy stands before this Florin, so a test can
// come from any address.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sha256 } from '../../src/primitives/secrets.ts'
import { inHashingSlot } from '../../src/users/password.ts'
import type { ApiResponse } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { assertNoChanges } from '../support/hash-database.ts'
import { credentials, type Person } from '../support/people.ts'
import { newPassword } from '../support/secrets.ts'

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

function guess(email: string, address: string): Promise<ApiResponse> {
  return logIn(email, newPassword(), address)
}

async function guesses(count: number, email: string, address: string): Promise<number[]> {
  const responses = await Promise.all(Array.from({ length: count }, () => guess(email, address)))
  for (const response of responses) if (response.status === 429) judge(response)
  return responses.map(({ status }) => status).sort()
}

function judge(response: ApiResponse): number {
  assert.equal(response.status, 429, response.text)
  assert.deepEqual(Object.keys(response.body), ['error', 'message'])
  assert.equal(response.body.error, 'rate_limited')
  const wait_s = Number(response.headers.get('retry-after'))
  assert.ok(Number.isInteger(wait_s) && wait_s >= 1, 'Retry-After says how long')
  return wait_s
}

function failures(count: number, kind: 'wrong' | 'throttled' = 'wrong'): number[] {
  return Array(count).fill(kind === 'wrong' ? 401 : 429)
}

/** Moves the failures under a key into the past. Keys are kept as hashes of these texts. */
async function moveBack(key: string, by: string): Promise<void> {
  const text = `update login_failures
    set failed_at = array(select moment - $2::interval from unnest(failed_at) as moment)
    where key_hash = $1`
  const { rowCount } = await florin.db.pool.query(text, [sha256(key), by])
  assert.equal(rowCount, 1, `there are failures under ${key}`)
}

/** As many failures under a key as hundreds of guesses would have left there. */
async function haveFailed(key: string, count: number, ago: string): Promise<void> {
  const text = `insert into login_failures (key_hash, failed_at, retain_until)
    values ($1, array_fill(now() - $3::interval, array[$2::int]), now() + interval '1 hour')
    on conflict (key_hash) do update set failed_at = excluded.failed_at`
  await florin.db.pool.query(text, [sha256(key), count, ago])
}

test('the eleventh guess for one email from one address is not even looked at', async () => {
  const { email, password } = await florin.people.lone()
  const address = newAddress()
  assert.deepEqual(await guesses(10, email, address), failures(10))
  const response = await assertNoChanges(florin.db.pool, () => logIn(email, password, address))
  const wait_s = judge(response)
  assert.ok(wait_s > 14 * 60 && wait_s <= 15 * 60, `${wait_s} s`)
  assert.equal((await logIn(email, password, newAddress())).status, 200, 'others are not locked')
})

test('an unknown email is throttled just as a known one', async () => {
  const { email } = credentials('nobody')
  const address = newAddress()
  assert.deepEqual(await guesses(11, email, address), [...failures(10), 429])
})

test('of thirty guesses at once exactly ten are looked at', async () => {
  const { email } = await florin.people.lone()
  const address = newAddress()
  const expected = [...failures(10), ...failures(20, 'throttled')]
  assert.deepEqual(await guesses(30, email, address), expected)
  assert.deepEqual(await guesses(3, email, address), failures(3, 'throttled'))
})

test('a throttled guess is refused before any hashing', async () => {
  const { email } = await florin.people.lone()
  const address = newAddress()
  await haveFailed(`pair\n${email}\n${address}`, 10, '0 s')
  const gate = Promise.withResolvers<void>()
  const busy = [1, 2].map(() => inHashingSlot({ key: 'busy' }, 'login', () => gate.promise))
  judge(await guess(email, address))
  gate.resolve()
  await Promise.all(busy)
})

test('a success clears the pair of email and address', async () => {
  const { email, password } = await florin.people.lone()
  const address = newAddress()
  await haveFailed(`pair\n${email}\n${address}`, 9, '1 s')
  assert.equal((await logIn(email, password, address)).status, 200)
  assert.deepEqual(await guesses(3, email, address), failures(3))
})

test('the email counts in any case', async () => {
  const { email } = await florin.people.lone()
  const address = newAddress()
  await haveFailed(`pair\n${email}\n${address}`, 9, '1 s')
  assert.equal((await guess(email.toUpperCase(), address)).status, 401)
  judge(await guess(email, address))
})

test('a right password of a suspended user is no failure', async () => {
  const owner = await florin.people.owner()
  const { id, email, password } = await florin.people.member(owner)
  const body = { status: 'suspended' }
  await florin.call('PATCH', `/v1/users/${id}`, { token: owner.token, body })
  const address = newAddress()
  await haveFailed(`pair\n${email}\n${address}`, 9, '1 s')
  assert.equal((await logIn(email, password, address)).body.error, 'unauthorized')
  assert.equal((await guess(email, address)).body.error, 'invalid_credentials')
  judge(await logIn(email, password, address))
})

test('the fifteen minutes slide', async () => {
  const { email, password } = await florin.people.lone()
  const address = newAddress()
  const pair = `pair\n${email}\n${address}`
  await haveFailed(pair, 9, '10 min')
  assert.equal((await guess(email, address)).status, 401)
  const wait_s = judge(await guess(email, address))
  assert.ok(wait_s > 4 * 60 && wait_s <= 5 * 60, `${wait_s} s until the oldest is forgotten`)
  await moveBack(pair, '5 min 1 s')
  assert.equal((await guess(email, address)).status, 401, 'nine have been forgotten, one has not')
  await moveBack(pair, '15 min')
  assert.equal((await logIn(email, password, address)).status, 200)
})

test('an address has three hundred failures an hour, whatever the emails', async () => {
  const { email, password } = await florin.people.lone()
  const address = newAddress()
  await haveFailed(`address\n${address}`, 299, '59 min')
  assert.equal((await guess(credentials('nobody').email, address)).status, 401)
  const wait_s = judge(await logIn(email, password, address))
  assert.ok(wait_s > 0 && wait_s <= 60, `${wait_s} s`)
  assert.equal((await logIn(email, password, newAddress())).status, 200)
  await moveBack(`address\n${address}`, '61 s')
  assert.equal((await logIn(email, password, address)).status, 200)
})

test('an email has a hundred failures an hour, but not where it logged in before', async () => {
  const { email, password } = await florin.people.lone()
  const home = newAddress()
  assert.equal((await logIn(email, password, home)).status, 200)
  await haveFailed(`email\n${email}`, 99, '59 min')
  assert.equal((await guess(email, newAddress())).status, 401)
  judge(await logIn(email, password, newAddress()))
  assert.equal((await guess(email, home)).status, 401, 'a known address only counts for itself')
  assert.equal((await logIn(email, password, home)).status, 200)
  await moveBack(`email\n${email}`, '61 s')
  assert.equal((await logIn(email, password, newAddress())).status, 200)
})

test('an address is known for thirty days', async () => {
  const { email, password } = await florin.people.lone()
  const home = newAddress()
  assert.equal((await logIn(email, password, home)).status, 200)
  await haveFailed(`email\n${email}`, 100, '1 min')
  const advanceTo = (time: string) =>
    florin.db.pool.query(
      'update login_addresses set retain_until = retain_until - $2::interval where key_hash = $1',
      [sha256(`known\n${email}\n${home}`), time],
    )
  await advanceTo('29 days 23 h')
  assert.equal((await guess(email, home)).status, 401, 'it only counts for itself still')
  await advanceTo('1 h')
  judge(await logIn(email, password, home))
})

test('wrong passwords at POST /v1/accounts count as wrong log-ins', async () => {
  const lone = await florin.people.lone()
  const address = newAddress()
  await haveFailed(`pair\n${lone.email}\n${address}`, 7, '1 s')
  for (let tries = 0; tries < 3; tries++) {
    const response = await open(lone, newPassword(), address)
    assert.equal(response.status, 401)
    assert.equal(response.body.error, 'unauthorized')
  }
  judge(await assertNoChanges(florin.db.pool, () => open(lone, lone.password, address)))
  judge(await logIn(lone.email, lone.password, address))
  assert.equal((await open(lone, lone.password, newAddress())).status, 201)
})

function open({ email, token }: Person, password: string, address: string): Promise<ApiResponse> {
  return florin.call('POST', '/v1/accounts', {
    token,
    body: { email, password, name: 'New Ltd', type: 'individual' },
    headers: { 'x-forwarded-for': address },
  })
}

test('only the address that the trusted proxy saw counts, not what a client claims', async () => {
  const { email } = await florin.people.lone()
  const address = newAddress()
  await haveFailed(`pair\n${email}\n${address}`, 9, '1 s')
  const claims = [1, 2, 3].map(() => guess(email, `${newAddress()}, ${address}`))
  const statuses = (await Promise.all(claims)).map(({ status }) => status).sort()
  assert.deepEqual(statuses, [401, 429, 429])
})

test('the addresses of one IPv6 network count as one', async () => {
  const { email } = await florin.people.lone()
  await haveFailed(`pair\n${email}\n2001:db8:1:2::/64`, 9, '1 s')
  const claims = [1, 2, 3].map((at) => guess(email, `2001:db8:1:2::${at}`))
  const statuses = (await Promise.all(claims)).map(({ status }) => status).sort()
  assert.deepEqual(statuses, [401, 429, 429])
  assert.equal((await guess(email, '2001:db8:1:3::1')).status, 401)
})
