// Two passwords are hashed at once and 256 may wait; the next is 503. A flood of log-ins costs
// waiting and never anything else.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../src/primitives/refusal.ts'
import { hashPassword, inHashingSlot } from '../../src/users/password.ts'
import { startFlorin } from '../support/florin.ts'
import { changesNothing } from '../support/hash-database.ts'
import { credentials } from '../support/people.ts'

const florin = await startFlorin()

/** Takes both slots and every place in the queue, until it is opened. */
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
  const works = Array.from({ length: 258 }, () => inHashingSlot(work))
  return { seen, open: () => gate.resolve(), done: Promise.all(works) }
}

test('two run, 256 wait in order, and the next is refused', async () => {
  const queue = fillQueue()
  assert.deepEqual(queue.seen, { running: 2, most: 2, started: 2 })
  await assert.rejects(hashPassword(credentials('late').password), (error: Refusal) => {
    assert.ok(error instanceof Refusal)
    return error.code === 'unavailable' && error.details.retry_after_s! >= 1
  })
  queue.open()
  await queue.done
  assert.deepEqual(queue.seen, { running: 0, most: 2, started: 258 })
})

test('a place is given back when the work in it fails', async () => {
  const failing = Array.from({ length: 10 }, () =>
    inHashingSlot(() => Promise.reject(new Error('no'))),
  )
  await Promise.allSettled(failing)
  const queue = fillQueue()
  assert.equal(queue.seen.started, 2)
  queue.open()
  await queue.done
})

test('whoever would be refused has a moment, in which there may be room', async () => {
  const queue = fillQueue()
  const late = hashPassword(credentials('late').password)
  queue.open()
  await queue.done
  assert.match(await late, /^\$argon2id\$/)
  // Nothing of it is left behind: two may run, and no third.
  const again = fillQueue()
  assert.equal(again.seen.started, 2)
  again.open()
  await again.done
})

test('a log-in that finds the queue full asks the database nothing', async () => {
  const { email, password } = await florin.people.lone()
  const held = await florin.db.pool.connect()
  await held.query('begin')
  await held.query('lock table login_failures, login_addresses in access exclusive mode')
  const queue = fillQueue()
  try {
    const answer = await florin.call('POST', '/v1/auth/login', { body: { email, password } })
    assert.equal(answer.status, 503)
    assert.match(answer.body.message, /Too many people are logging in/)
  } finally {
    await held.query('rollback')
    held.release()
    queue.open()
    await queue.done
  }
})

test('while the queue is full whatever hashes is 503, and all else works', async () => {
  const owner = await florin.people.owner()
  const lone = await florin.people.lone()
  const { email, password } = lone
  const account = { name: 'New Ltd', type: 'business' }
  const requests: [string, string, string | undefined, unknown][] = [
    ['POST', '/v1/auth/login', undefined, { email, password }],
    ['POST', '/v1/auth/login', undefined, credentials('nobody')],
    ['POST', '/v1/users', undefined, credentials('new')],
    ['POST', '/v1/users', owner.token, credentials('new')],
    ['POST', '/v1/accounts', undefined, { ...credentials('new'), ...account }],
    ['POST', '/v1/accounts', lone.token, { email, password, ...account }],
    ['PATCH', `/v1/users/${lone.id}`, lone.token, { password: credentials('x').password }],
  ]
  const queue = fillQueue()
  for (const [method, path, token, body] of requests) {
    const answer = await changesNothing(florin.db.pool, () =>
      florin.call(method, path, { token, body }),
    )
    assert.equal(answer.status, 503, answer.text)
    assert.equal(answer.body.error, 'unavailable')
    assert.ok(Number(answer.headers.get('retry-after')) >= 1)
  }
  const reads = await florin.call('GET', '/v1/account', { token: owner.token })
  assert.equal(reads.status, 200)
  queue.open()
  await queue.done
  const body = { email, password }
  assert.equal((await florin.call('POST', '/v1/auth/login', { body })).status, 200)
})
