import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findJobs } from '../../src/jobs/find-jobs.ts'
import { Leases, shareOf } from '../../src/jobs/leases.ts'
import { startFlorin } from '../support/florin.ts'

const florin = await startFlorin()
const pace = { lease_ms: 60_000, heartbeat_ms: 1_000 }
let number = 0

/** Workers of a job of its own. */
function workers(count: number, slots = 16) {
  const name = `job_${++number}`
  const all = Array.from({ length: count }, () => new Leases(florin.db, [{ name, slots }], pace))
  return { name, all, slotsOf: () => all.map((worker) => worker.slotsOf(name)) }
}

async function beatInTurn(all: Leases[], rounds = 1): Promise<void> {
  for (let round = 0; round < rounds; round++) for (const worker of all) await worker.heartbeat()
}

/** As if this long had passed without a sign of life from anybody but those who beat after it. */
async function runOut(name: string): Promise<void> {
  const text = `update leases set held_until = now() - interval '1 ms' where name like $1 || '%'`
  await florin.db.pool.query(text, [name])
}

test('the slots are dealt round, whatever the number of workers', () => {
  for (let count = 1; count <= 20; count++) {
    const seats = Array.from({ length: count }, (_, at) => at * 2)
    const shares = seats.map((seat) =>
      shareOf({ name: 'job', slots: 16 }, seats, seat)
        .filter(({ name }) => name === 'job')
        .map(({ slot }) => slot),
    )
    const sizes = shares.map((share) => share.length)
    assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1, `${count}: ${sizes}`)
    const dealt = shares.flat().sort((one, other) => one - other)
    assert.deepEqual(dealt, [...Array(16).keys()])
  }
})

test('one worker alone does everything', async () => {
  const { all, slotsOf } = workers(1)
  await beatInTurn(all)
  assert.equal(slotsOf()[0]!.length, 16)
})

test('workers that come later get their share, and no slot has two holders', async () => {
  const { name, all, slotsOf } = workers(3)
  await beatInTurn(all.slice(0, 1))
  await beatInTurn(all)
  for (let round = 0; round < 3; round++) {
    const taken = slotsOf().flat()
    assert.equal(new Set(taken).size, taken.length, 'never one slot twice')
    await beatInTurn(all)
  }
  assert.deepEqual(
    slotsOf().map((slots) => slots.length),
    [6, 5, 5],
  )
  const rows = await florin.db.pool.query('select holder from leases where name = $1', [name])
  assert.equal(new Set(rows.rows.map((row) => row.holder)).size, 3)
})

test('workers that come in the same moment find different seats', async () => {
  const { name, all, slotsOf } = workers(5)
  await Promise.all(all.map((worker) => worker.heartbeat()))
  const text = 'select holder from leases where name = $1'
  const seats = await florin.db.pool.query(text, [`${name} seats`])
  assert.equal(new Set(seats.rows.map((row) => row.holder)).size, 5)
  await beatInTurn(all, 2)
  const sizes = slotsOf().map((slots) => slots.length)
  assert.deepEqual(sizes.sort(), [3, 3, 3, 3, 4])
})

test('what a worker gives back the others take with their next beat', async () => {
  const { all, slotsOf } = workers(2)
  await beatInTurn(all, 2)
  assert.equal(slotsOf()[1]!.length, 8)
  await all[1]!.drop()
  assert.deepEqual(slotsOf()[1], [])
  await beatInTurn(all.slice(0, 1))
  assert.equal(slotsOf()[0]!.length, 16)
})

test('the slots of a worker that was killed are free when its leases have run out', async () => {
  const { name, all, slotsOf } = workers(2)
  await beatInTurn(all, 2)
  await beatInTurn(all.slice(0, 1), 3)
  assert.equal(slotsOf()[0]!.length, 8, 'not before')
  await runOut(name)
  await beatInTurn(all.slice(0, 1))
  assert.equal(slotsOf()[0]!.length, 16)
})

test('a worker that could not beat in time does not believe in its leases', async (t) => {
  const { name, all } = workers(1)
  const [worker] = all
  await worker!.heartbeat()
  assert.equal(worker!.slotsOf(name).length, 16)
  const late_ms = performance.now() + pace.lease_ms
  t.mock.method(performance, 'now', () => late_ms)
  assert.deepEqual(worker!.slotsOf(name), [])
})

test('a job in one piece is done by one worker', async () => {
  const { all, slotsOf } = workers(3, 1)
  await Promise.all(all.map((worker) => worker.heartbeat()))
  await beatInTurn(all, 2)
  assert.equal(slotsOf().flat().length, 1)
})

/** As a worker leaves it that died before the database's clock was set back by an hour. */
async function setBack(name: string): Promise<void> {
  const text = `update leases set held_until = now() + interval '1 hour' where name like $1 || '%'`
  await florin.db.pool.query(text, [name])
}

test('the leases of one that died before the clock was set back are free', async () => {
  const { name, all, slotsOf } = workers(2)
  await beatInTurn(all, 2)
  await setBack(name)
  await beatInTurn(all.slice(0, 1))
  assert.equal(slotsOf()[0]!.length, 16)
})

test('a worker that lives keeps its share when the clock is set back', async () => {
  const { name, all, slotsOf } = workers(2)
  await beatInTurn(all, 2)
  await setBack(name)
  await beatInTurn(all, 2)
  assert.deepEqual(
    slotsOf().map((slots) => slots.length),
    [8, 8],
  )
  const text = 'select 1 from leases where name like $1 and held_until > now() + $2::interval'
  const late = await florin.db.pool.query(text, [`${name}%`, '61 s'])
  assert.equal(late.rowCount, 0)
})

test('nobody is said to work by a lease from before the clock was set back', async () => {
  await florin.db.pool.query('delete from leases')
  const job = { name: 'seen', slots: 1 }
  const worker = new Leases(florin.db, [job])
  await worker.heartbeat()
  const seen = await findJobs(florin.db)
  assert.deepEqual([seen.running, seen.jobs[0]!.slots_held], [true, 1])
  await setBack('seen')
  assert.deepEqual(await findJobs(florin.db), { running: false, last_seen_at: null, jobs: [] })
})
