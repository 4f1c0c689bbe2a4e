import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { type Job, type JobResult, startTimers } from '../../src/jobs/timer.ts'
import { startFlorin } from '../support/florin.ts'
import { until } from '../support/until.ts'

const florin = await startFlorin()
const log = pino({ level: 'silent' })
const pace = { lease_ms: 60_000, heartbeat_ms: 100 }
const nothing: JobResult = { done: 0, more: false }

async function heldLeases(name: string): Promise<number> {
  const text = `select count(*)::int as n from leases
    where name like $1 || '%' and held_until > now()`
  return (await florin.db.pool.query(text, [name])).rows[0].n
}

/** When the first of its leases expires, in milliseconds of the database clock. */
async function firstEnd(name: string): Promise<number> {
  const text = `select min(held_until) as ends_at from leases where name like $1 || '%'`
  return (await florin.db.pool.query(text, [name])).rows[0].ends_at.getTime()
}

/** A job that reports more work after each of its first four rounds. */
function jobOfRounds(name: string, every_ms: number): { job: Job; at_ms: number[] } {
  const at_ms: number[] = []
  const run = async () => {
    at_ms.push(performance.now())
    return { done: 1, more: at_ms.length < 5 }
  }
  return { job: { name, every_ms, run }, at_ms }
}

test('runs the next round at once while there is more work, then pauses', async () => {
  const busy = jobOfRounds('while_more', 120_000)
  const paced = jobOfRounds('then_pauses', 400)
  const timers = startTimers(florin.db, log, [busy.job, paced.job], pace)
  await until(() => busy.at_ms.length === 5, 'five rounds without a pause')
  await until(() => paced.at_ms.length === 6)
  await timers.stop()
  assert.ok(paced.at_ms[5]! - paced.at_ms[4]! >= 390, 'a pause before the sixth')
  assert.equal(busy.at_ms.length, 5)
})

test('retries a failed round after the pause', async () => {
  let rounds = 0
  const run = async () => {
    rounds += 1
    if (rounds === 1) throw new Error('the first one fails')
    return nothing
  }
  const timers = startTimers(florin.db, log, [{ name: 'fails_once', every_ms: 10, run }], pace)
  await until(() => rounds > 2)
  await timers.stop()
})

test('divides the slots of a job among several workers', async () => {
  const seen = [new Set<number>(), new Set<number>(), new Set<number>()]
  const all = seen.map((own, at) => {
    const run: Job['run'] = async (_, { slots }) => {
      own.clear()
      for (const slot of slots) own.add(slot)
      return nothing
    }
    const job: Job = { name: 'shared', every_ms: 10, slots: 16, run }
    return startTimers(florin.db, log.child({ at }), [job], pace)
  })
  await until(() => {
    const sizes = seen.map((own) => own.size).sort()
    return sizes.join() === '5,5,6' && new Set(seen.flatMap((own) => [...own])).size === 16
  })
  await all[0]!.stop()
  await until(() => seen[1]!.size === 8 && seen[2]!.size === 8)
  await Promise.all([all[1]!.stop(), all[2]!.stop()])
  assert.equal(await heldLeases('shared'), 0)
})

test('renews leases while a long round runs', async () => {
  const work = Promise.withResolvers<JobResult>()
  let begun = 0
  const job = (run: Job['run']): Job => ({ name: 'long_work', every_ms: 10, slots: 4, run })
  const busy = job(async () => {
    begun += 1
    return work.promise
  })
  const worker = startTimers(florin.db, log, [busy], pace)
  await until(() => begun === 1)
  assert.equal(await heldLeases('long_work'), 5, 'four slots and a seat')
  for (let renewals = 0; renewals < 5; renewals++) {
    const first = await firstEnd('long_work')
    await until(async () => (await firstEnd('long_work')) > first, 'all five are renewed')
    assert.equal(await heldLeases('long_work'), 5)
  }
  work.resolve(nothing)
  await worker.stop()
})

test('stop() aborts the signal, waits for running work, and releases the leases', async () => {
  const aborted: boolean[] = []
  let begun = false
  const run: Job['run'] = async (_, { signal }) => {
    begun = true
    while (!signal.aborted) await sleep(10)
    await sleep(100)
    aborted.push(signal.aborted)
    return { done: 1, more: true }
  }
  const timers = startTimers(florin.db, log, [{ name: 'stops', every_ms: 10, slots: 2, run }], pace)
  await until(() => begun)
  assert.equal(await heldLeases('stops'), 3)
  await timers.stop()
  assert.deepEqual(aborted, [true], 'no round starts after stop()')
  assert.equal(await heldLeases('stops'), 0)
})

test('runs no jobs without the database, and resumes when it is back', async () => {
  const other = await florin.startSecondServer()
  let rounds = 0
  const run = async () => {
    rounds += 1
    return nothing
  }
  const text = 'alter table leases rename to leases_renamed'
  const short = { ...pace, lease_ms: 1_000 }
  const timers = startTimers(other.db, log, [{ name: 'away', every_ms: 10, run }], short)
  await until(() => rounds > 0)
  await florin.db.pool.query(text)
  await sleep(1_100)
  const rounds_before = rounds
  await sleep(200)
  assert.equal(rounds, rounds_before, 'the lease has expired')
  await florin.db.pool.query('alter table leases_renamed rename to leases')
  await until(() => rounds > rounds_before)
  await timers.stop()
})
