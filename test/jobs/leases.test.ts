import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findJobs } from '../../src/jobs/find-jobs.ts'
import { Leases, shareOf } from '../../src/jobs/leases.ts'
import { startFlorin } from '../support/florin.ts'

const florin = await startFlorin()
const pace = { lease_ms: 60_000, heartbeat_ms: 1_000 }
let number = 0

/** Workers of a new job. */
function workers(count: number, slots = 16) {
  const name = `job_${++number}`
  const all = Array.from({ length: count }, () => new Leases(florin.db, [{ name, slots }], pace))
  return { name, all, slotsOf: () => all.map((worker) => worker.slotsOf(name)) }
}

async function heartbeatInTurn(all: Leases[], rounds = 1): Promise<void> {
  for (let round = 0; round < rounds; round++) for (const worker of all) await worker.heartbeat()
}

/** Expires all leases of a job. */
async function expire(name: string): Promise<void> {
  const text = `update leases set held_until = now() - interval '1 ms' where name like $1 || '%'`
  await florin.db.pool.query(text, [name])
}

test('assigns slots round-robin to any number of workers', () => {
  for (let count = 1; count <= 20; count++) {
    const seats = Array.from({ length: count }, (_, at) => at * 2)
    const shares = seats.map((seat) =>
      shareOf({ name: 'job', slots: 16 }, seats, seat)
        .filter(({ name }) => name === 'job')
        .map(({ slot }) => slot),
    )
    const sizes = shares.map((share) => share.length)
    assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1, `${count}: ${sizes}`)
    const assigned = shares.flat().sort((one, other) => one - other)
    assert.deepEqual(assigned, [...Array(16).keys()])
  }
})

test('gives all slots to a single worker', async () => {
  const { all, slotsOf } = workers(1)
  await heartbeatInTurn(all)
  assert.equal(slotsOf()[0]!.length, 16)
})

test('gives workers that start later their share, and no slot two holders', async () => {
  const { name, all, slotsOf } = workers(3)
  await heartbeatInTurn(all.slice(0, 1))
  await heartbeatInTurn(all)
  for (let round = 0; round < 3; round++) {
    const taken = slotsOf().flat()
    assert.equal(new Set(taken).size, taken.length, 'no slot is held twice')
    await heartbeatInTurn(all)
  }
  assert.deepEqual(
    slotsOf().map((slots) => slots.length),
    [6, 5, 5],
  )
  const rows = await florin.db.pool.query('select holder from leases where name = $1', [name])
  assert.equal(new Set(rows.rows.map((row) => row.holder)).size, 3)
})

test('gives different seats to workers that start at the same time', async () => {
  const { name, all, slotsOf } = workers(5)
  await Promise.all(all.map((worker) => worker.heartbeat()))
  const text = 'select holder from leases where name = $1'
  const seats = await florin.db.pool.query(text, [`${name} seats`])
  assert.equal(new Set(seats.rows.map((row) => row.holder)).size, 5)
  await heartbeatInTurn(all, 2)
  const sizes = slotsOf().map((slots) => slots.length)
  assert.deepEqual(sizes.sort(), [3, 3, 3, 3, 4])
})

test('other workers take released slots at their next heartbeat', async () => {
  const { all, slotsOf } = workers(2)
  await heartbeatInTurn(all, 2)
  assert.equal(slotsOf()[1]!.length, 8)
  await all[1]!.drop()
  assert.deepEqual(slotsOf()[1], [])
  await heartbeatInTurn(all.slice(0, 1))
  assert.equal(slotsOf()[0]!.length, 16)
})

test('frees the slots of a killed worker when its leases expire', async () => {
  const { name, all, slotsOf } = workers(2)
  await heartbeatInTurn(all, 2)
  await heartbeatInTurn(all.slice(0, 1), 3)
  assert.equal(slotsOf()[0]!.length, 8, 'not before')
  await expire(name)
  await heartbeatInTurn(all.slice(0, 1))
  assert.equal(slotsOf()[0]!.length, 16)
})

test('a worker without a heartbeat in time considers its leases lost', async (t) => {
  const { name, all } = workers(1)
  const [worker] = all
  await worker!.heartbeat()
  assert.equal(worker!.slotsOf(name).length, 16)
  const late_ms = performance.now() + pace.lease_ms
  t.mock.method(performance, 'now', () => late_ms)
  assert.deepEqual(worker!.slotsOf(name), [])
})

test('gives a job with one slot to one worker', async () => {
  const { all, slotsOf } = workers(3, 1)
  await Promise.all(all.map((worker) => worker.heartbeat()))
  await heartbeatInTurn(all, 2)
  assert.equal(slotsOf().flat().length, 1)
})

/** Leases as a worker leaves them that died before the database clock was set back by an hour. */
async function setBack(name: string): Promise<void> {
  const text = `update leases set held_until = now() + interval '1 hour' where name like $1 || '%'`
  await florin.db.pool.query(text, [name])
}

test('frees the leases of a worker that died before the clock was set back', async () => {
  const { name, all, slotsOf } = workers(2)
  await heartbeatInTurn(all, 2)
  await setBack(name)
  await heartbeatInTurn(all.slice(0, 1))
  assert.equal(slotsOf()[0]!.length, 16)
})

test('a running worker keeps its share when the clock is set back', async () => {
  const { name, all, slotsOf } = workers(2)
  await heartbeatInTurn(all, 2)
  await setBack(name)
  await heartbeatInTurn(all, 2)
  assert.deepEqual(
    slotsOf().map((slots) => slots.length),
    [8, 8],
  )
  const text = 'select 1 from leases where name like $1 and held_until > now() + $2::interval'
  const late = await florin.db.pool.query(text, [`${name}%`, '61 s'])
  assert.equal(late.rowCount, 0)
})

test('does not report stale leases from before the clock was set back', async () => {
  await florin.db.pool.query('delete from leases')
  const job = { name: 'seen', slots: 1 }
  const worker = new Leases(florin.db, [job])
  await worker.heartbeat()
  const seen = await findJobs(florin.db)
  assert.deepEqual([seen.running, seen.jobs[0]!.slots_held], [true, 1])
  await setBack('seen')
  assert.deepEqual(await findJobs(florin.db), { running: false, last_seen_at: null, jobs: [] })
})
