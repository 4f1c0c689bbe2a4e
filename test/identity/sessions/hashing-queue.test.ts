// Two passwords are hashed at once and 256 may wait; the next request gets 503. A flood of logins
// causes only waiting.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dummyHash, hashPassword, inHashingSlot } from '../../../src/identity/users/password.ts'
import { Refusal } from '../../../src/primitives/refusal.ts'
import { startFlorin } from '../../support/florin.ts'
import { assertNoChanges } from '../../support/hash-database.ts'
import { atFullCost, full_cost } from '../../support/password-cost.ts'
import { credentials } from '../../support/people.ts'
import { newPassword } from '../../support/secrets.ts'

const florin = await startFlorin({ FLORIN_TRUST_PROXY: '1' })
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Occupies both slots and the whole queue until `open` is called. */
function fillQueue() {
  const gate = Promise.withResolvers<void>()
  const seen = { running: 0, most: 0, started: 0 }
  const work = async () => {
    seen.started += 1
    seen.running += 1
    seen.most = Math.max(seen.most, seen.running)
    await gate.promise
    seen.running -= 1
  }
  // From many clients, because one client can fill only half of the queue.
  const works = Array.from({ length: 258 }, (_, n) =>
    inHashingSlot({ key: `client ${n}` }, 'other', work),
  )
  // Handled at once, because on a busy machine the works may expire before they are awaited.
  const ended = Promise.allSettled(works)
  return { seen, open: () => gate.resolve(), ended, done: () => Promise.all(works) }
}

test('a password is hashed at the cost that OWASP recommends', async () => {
  assert.deepEqual(full_cost, { memory: 19_456, passes: 2, parallelism: 1 })
  const hash = await atFullCost(() => hashPassword(newPassword()))
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  assert.match(await atFullCost(async () => dummyHash()), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('two run, 256 wait, and the next is rejected', async () => {
  const queue = fillQueue()
  await turn()
  assert.deepEqual(queue.seen, { running: 2, most: 2, started: 2 })
  await assert.rejects(hashPassword(credentials('late').password), (error: Refusal) => {
    assert.ok(error instanceof Refusal)
    return error.code === 'unavailable' && error.details.retry_after_s! >= 1
  })
  queue.open()
  await queue.done()
  assert.deepEqual(queue.seen, { running: 0, most: 2, started: 258 })
})

test('releases the slot of failed work', async () => {
  const failing = Array.from({ length: 10 }, () =>
    inHashingSlot({ key: 'failing' }, 'other', () => Promise.reject(new Error('no'))),
  )
  await Promise.allSettled(failing)
  const queue = fillQueue()
  await turn()
  assert.equal(queue.seen.started, 2)
  queue.open()
  await queue.done()
})

test('accepts a request if the queue gets room during the rejection delay', async () => {
  const queue = fillQueue()
  const late = hashPassword(credentials('late').password)
  queue.open()
  await queue.done()
  assert.match(await late, /^\$argon2id\$/)
  // All slots were released: two can run, and not a third.
  const again = fillQueue()
  await turn()
  assert.equal(again.seen.started, 2)
  again.open()
  await again.done()
})

test('a login that is rejected because of a full queue does not query the database', async () => {
  const { email, password } = await florin.people.lone()
  const held = await florin.db.pool.connect()
  await held.query('begin')
  await held.query('lock table login_failures, login_addresses in access exclusive mode')
  const queue = fillQueue()
  try {
    const response = await florin.call('POST', '/v1/auth/login', { body: { email, password } })
    assert.equal(response.status, 503)
    assert.match(response.body.message, /Too many logins are in progress/)
  } finally {
    await held.query('rollback')
    held.release()
    queue.open()
    await queue.done()
  }
})

test('with a full queue, requests that hash get 503, and others succeed', async () => {
  const owner = await florin.people.owner()
  const lone = await florin.people.lone()
  const { email, password } = lone
  const account = { name: 'New Ltd', type: 'business' }
  const requests: [string, string, string | undefined, unknown][] = [
    ['POST', '/v1/auth/login', undefined, { email, password }],
    ['POST', '/v1/auth/login', undefined, credentials('unknown')],
    ['POST', '/v1/users', undefined, credentials('new')],
    ['POST', '/v1/users', owner.token, credentials('new')],
    ['POST', '/v1/accounts', undefined, { ...credentials('new'), ...account }],
    ['POST', '/v1/accounts', lone.token, { email, password, ...account }],
    ['PATCH', `/v1/users/${lone.id}`, lone.token, { password: credentials('x').password }],
  ]
  const queue = fillQueue()
  for (const [method, path, token, body] of requests) {
    const response = await assertNoChanges(florin.db.pool, () =>
      florin.call(method, path, { token, body }),
    )
    assert.equal(response.status, 503, response.text)
    assert.equal(response.body.error, 'unavailable')
    assert.ok(Number(response.headers.get('retry-after')) >= 1)
  }
  const reads = await florin.call('GET', '/v1/account', { token: owner.token })
  assert.equal(reads.status, 200)
  queue.open()
  await queue.done()
  const body = { email, password }
  assert.equal((await florin.call('POST', '/v1/auth/login', { body })).status, 200)
})

test('rejects a client that has used its share of the queue, and not others', async () => {
  const gate = Promise.withResolvers<void>()
  const flood = Array.from({ length: 130 }, () =>
    inHashingSlot({ key: 'flood' }, 'other', () => gate.promise),
  )
  await turn()
  await assert.rejects(hashPassword(newPassword(), { key: 'flood' }), { code: 'unavailable' })
  const other = hashPassword(newPassword(), { key: 'other' })
  gate.resolve()
  assert.match(await other, /^\$argon2id\$/)
  await Promise.all(flood)
})

test('does not hash for a client that has disconnected', async () => {
  const gate = Promise.withResolvers<void>()
  const busy = [1, 2].map((n) => inHashingSlot({ key: `${n}` }, 'other', () => gate.promise))
  let is_connected = true
  let ran = 0
  const gone = inHashingSlot({ key: 'gone', isWanted: () => is_connected }, 'login', async () => {
    ran += 1
  })
  await turn()
  is_connected = false
  gate.resolve()
  await assert.rejects(gone, { code: 'unavailable' })
  await Promise.all(busy)
  assert.equal(ran, 0)
})

const from = (address: string) => ({ 'x-forwarded-for': address })

test('logins proceed while one client floods the queue with sign-ups and passwords', async () => {
  const person = await florin.people.lone()
  const flooder = await florin.people.lone()
  const order: string[] = []
  const note = <Result>(name: string, sent: Promise<Result>) => sent.finally(() => order.push(name))
  await atFullCost(async () => {
    const flood = Array.from({ length: 60 }, (_, n) => {
      const body = n % 2 ? credentials('flood') : { password: newPassword() }
      const sent =
        n % 2
          ? florin.call('POST', '/v1/users', { body, headers: from('192.0.2.1') })
          : florin.call('PATCH', `/v1/users/${flooder.id}`, { body, token: flooder.token })
      return note('flood', sent)
    })
    const { email, password } = person
    const body = { email, password }
    for (let n = 0; n < 5; n++) {
      const headers = from('192.0.2.2')
      const response = await note('login', florin.call('POST', '/v1/auth/login', { body, headers }))
      assert.equal(response.status, 200, response.text)
    }
    await Promise.all(flood)
  })
  const before = order.indexOf('login')
  assert.ok(before < 30, `${before} of 60 finished before the first login`)
})

test('returns 409 for an existing email before hashing', async () => {
  const { email } = await florin.people.lone()
  const account = { name: 'New Ltd', type: 'business' }
  const queue = fillQueue()
  for (const [path, more] of Object.entries({ '/v1/users': {}, '/v1/accounts': account })) {
    const body = { ...credentials('x'), email, ...more }
    const response = await florin.call('POST', path, { body })
    assert.equal(`${response.status} ${response.body.error}`, '409 email_exists')
  }
  queue.open()
  await queue.ended
})

test('limits sign-ups per IP address', async () => {
  const limited = await florin.startSecondServer({ FLORIN_RATE_LIMIT: '1000' })
  const { email } = await florin.people.lone()
  const queue = fillQueue()
  const signUp = (address: string, who: object) =>
    limited.call('POST', '/v1/users', { body: who, headers: from(address) })
  const sent = Array.from({ length: 400 }, () => signUp('192.0.2.7', credentials('many')))
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  const rejected = statuses.filter((status) => status === 429).length
  assert.ok(rejected > 0 && rejected <= 100, `${rejected} of 400, with a burst limit of 300`)
  assert.equal(statuses.filter((status) => status === 503).length, 400 - rejected)
  const taken = { ...credentials('x'), email }
  assert.equal((await signUp('192.0.2.7', taken)).status, 409)
  assert.equal((await signUp('192.0.2.8', credentials('free'))).status, 503)
  queue.open()
  await queue.ended
})
