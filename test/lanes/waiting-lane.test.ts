// A lane without a database, in which some accounts are locked elsewhere: they are skipped, and
// their entries wait in a waiting lane in order of arrival.

import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { AccountLanes } from '../../src/lanes/account-lanes.ts'
import {
  type BatchRunners,
  type LaneEntry,
  locked_elsewhere,
  type Outcome,
} from '../../src/lanes/lane-entry.ts'
import type { LaneLimits } from '../../src/lanes/shard-lanes.ts'

interface Item extends LaneEntry {
  name: string
}

const wide: LaneLimits = {
  batch_max: 100,
  queue_max: 1_000,
  age_max_ms: 60_000,
  skip_max_ms: 5,
  waiting_lane_age_max_ms: 60_000,
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** The first character of a name is its account. `unlock` releases an account. */
function laneOf(locked: string, limits: Partial<LaneLimits> = {}) {
  const locks = new Set(locked)
  const waiters = new Map<string, () => void>()
  const batches: string[] = []
  const namesOf = (entries: Item[]) => entries.map(({ name }) => name).join(' ')
  const runners: BatchRunners<Item, string> = {
    skipping: async (entries) => {
      batches.push(namesOf(entries))
      const outcomes = entries.map(({ name, account_id }) =>
        locks.has(account_id) ? locked_elsewhere : { value: name },
      )
      await turn()
      return outcomes
    },
    waiting: async (entries) => {
      batches.push(`waits: ${namesOf(entries)}`)
      const { account_id } = entries[0]!
      if (locks.has(account_id)) {
        await new Promise<void>((resolve) => waiters.set(account_id, resolve))
      } else await turn()
      return entries.map(({ name }) => ({ value: name }))
    },
  }
  const lane = new AccountLanes(runners, { ...wide, ...limits })
  const submit = (name: string, more: Partial<Item> = {}) =>
    lane.submit({ name, account_id: name[0]!, background: false, isWanted: () => true, ...more })
  const unlock = (account: string) => {
    locks.delete(account)
    waiters.get(account)?.()
  }
  /** Waits for a waiting lane, and removes the earlier batches from the record. */
  const untilItWaits = async () => {
    while (!batches.at(-1)?.startsWith('waits: ')) await sleep(1)
    batches.splice(0, batches.length - 1)
  }
  return { lane, batches, submit, unlock, untilItWaits }
}

test('puts skipped entries first in the next batch', async () => {
  const { batches, submit, unlock } = laneOf('a')
  const sent = ['a1', 'b1', 'a2'].map((name) => submit(name))
  await turn()
  sent.push(submit('b2'), submit('a3'))
  unlock('a')
  assert.equal(await sent[1], 'b1')
  await Promise.all(sent)
  assert.deepEqual(batches, ['a1 b1 a2', 'a1 a2 b2 a3'])
})

test('moves an account that is skipped for too long to a waiting lane, in order', async () => {
  const { lane, batches, submit, unlock, untilItWaits } = laneOf('a')
  const of_a = [submit('a1'), submit('a2')]
  assert.equal(await submit('b1'), 'b1')
  await untilItWaits()
  assert.equal(await submit('b2'), 'b2')
  of_a.push(submit('a3'))
  assert.equal(await submit('c1'), 'c1')
  assert.deepEqual(
    [lane.waiting, lane.in_waiting_lanes],
    [1, 3],
    'the third waits for the two in flight',
  )
  assert.deepEqual([lane.mayBeLate('a'), lane.mayBeLate('b')], [true, false])
  unlock('a')
  assert.deepEqual(await Promise.all(of_a), ['a1', 'a2', 'a3'])
  assert.deepEqual(batches, ['waits: a1 a2', 'b2', 'c1', 'waits: a3'])
  assert.deepEqual([lane.waiting, lane.in_waiting_lanes, lane.mayBeLate('a')], [0, 0, false])
})

test('retries a locked account with pauses, which a new entry ends', async () => {
  const { batches, submit, unlock } = laneOf('a', { skip_max_ms: 60_000 })
  const begun = performance.now()
  const of_a = submit('a1')
  while (batches.length < 5) await sleep(1)
  const attempts_max = performance.now() - begun + 2
  assert.ok(batches.length < attempts_max, `${batches.length} attempts in ${attempts_max} ms`)
  assert.equal(await submit('b1'), 'b1')
  assert.ok(batches.includes('a1 b1'))
  unlock('a')
  assert.equal(await of_a, 'a1')
})

test('returns an account to the common lane when its waiting lane is empty', async () => {
  const { lane, batches, submit, unlock, untilItWaits } = laneOf('a')
  const first = submit('a1')
  await untilItWaits()
  const { batches: so_far } = lane.processed
  unlock('a')
  await first
  await turn()
  await Promise.all([submit('a2'), submit('b1')])
  assert.equal(batches.at(-1), 'a2 b1')
  assert.deepEqual(lane.processed, { batches: so_far + 1, entries: 3 })
})

test('moves queued entries of an account behind its skipped ones', async () => {
  const { batches, submit, unlock, untilItWaits } = laneOf('a', { batch_max: 1 })
  const sent = ['a1', 'a2', 'a3'].map((name) => submit(name))
  const background = submit('a4', { background: true })
  await untilItWaits()
  assert.equal(await submit('b1'), 'b1')
  unlock('a')
  assert.deepEqual(await Promise.all([...sent, background]), ['a1', 'a2', 'a3', 'a4'])
  assert.deepEqual(batches, ['waits: a1 a4', 'b1', 'waits: a2', 'waits: a3'])
})

test('does not count old or many entries of waiting lanes as a full lane', async () => {
  const clock = mock.method(performance, 'now')
  let now_ms = 1_000
  clock.mock.mockImplementation(() => now_ms)
  const limits = { queue_max: 4, age_max_ms: 1_000, skip_max_ms: 0, waiting_lane_age_max_ms: 3_000 }
  const { lane, submit, unlock, untilItWaits } = laneOf('a', limits)
  const first = submit('a1')
  await turn()
  await untilItWaits()
  const behind = [submit('a2'), submit('a3')]
  const charged = submit('a4', { must_run: true })
  assert.throws(() => submit('a5'), { code: 'unavailable' }, 'half of a queue, as in every lane')
  now_ms += 4_000
  assert.equal(lane.areFull(), false)
  assert.equal(await submit('b1'), 'b1')
  unlock('a')
  for (const old of behind) await assert.rejects(old, { code: 'unavailable' })
  assert.deepEqual(await Promise.all([first, charged]), ['a1', 'a4'])
  clock.mock.restore()
})

test('applies the longer age limit to entries in a waiting lane', async () => {
  const clock = mock.method(performance, 'now')
  let now_ms = 1_000
  clock.mock.mockImplementation(() => now_ms)
  const limits = { age_max_ms: 1_000, skip_max_ms: 0, waiting_lane_age_max_ms: 3_000 }
  const { submit, unlock, untilItWaits } = laneOf('a', limits)
  const sent = [submit('a1')]
  await turn()
  await untilItWaits()
  sent.push(submit('a2'))
  now_ms += 2_000
  sent.push(submit('a3'))
  unlock('a')
  assert.deepEqual(await Promise.all(sent), ['a1', 'a2', 'a3'])
  clock.mock.restore()
})

test('restarts the age of an entry after an attempt, however long that took', async () => {
  const clock = mock.method(performance, 'now')
  let now_ms = 1_000
  clock.mock.mockImplementation(() => now_ms)
  const attempts: string[] = []
  const run = async (entries: Item[]): Promise<Outcome<string>[]> => {
    attempts.push(entries.map(({ name }) => name).join(' '))
    // An overloaded machine.
    now_ms += 2_000
    return entries.map(({ name }) => (attempts.length === 1 ? locked_elsewhere : { value: name }))
  }
  const limits = { ...wide, age_max_ms: 1_000, skip_max_ms: 60_000 }
  const lane = new AccountLanes<Item, string>({ skipping: run, waiting: run }, limits)
  const entry = { background: false, isWanted: () => true }
  const sent = [lane.submit({ ...entry, name: 'a1', account_id: 'a' })]
  while (attempts.length < 1) await turn()
  sent.push(lane.submit({ ...entry, name: 'b1', account_id: 'b' }))
  assert.deepEqual(await Promise.all(sent), ['a1', 'b1'])
  assert.deepEqual(attempts, ['a1', 'a1 b1'])
  clock.mock.restore()
})

test('gives each locked account a separate waiting lane', async () => {
  const { lane, submit, unlock } = laneOf('ab')
  const of_a = submit('a1')
  const of_b = submit('b1')
  assert.equal(await submit('c1'), 'c1')
  while (!(lane.mayBeLate('a') && lane.mayBeLate('b'))) await sleep(1)
  await turn()
  unlock('b')
  assert.equal(await of_b, 'b1')
  unlock('a')
  assert.equal(await of_a, 'a1')
})

test('rejects background entries, but no requests, when the lock times out', async () => {
  const batches: string[] = []
  let fail = () => {}
  const skipping = async (entries: Item[]) => entries.map(() => locked_elsewhere)
  const waiting = async (entries: Item[]): Promise<Outcome<string>[]> => {
    batches.push(entries.map(({ name }) => name).join(' '))
    if (batches.length > 1) return entries.map(({ name }) => ({ value: name }))
    return new Promise((_, reject) => {
      fail = () => reject(new Error('lock timeout'))
    })
  }
  const limits = { ...wide, batch_max: 1, skip_max_ms: 0 }
  const lane = new AccountLanes<Item, string>({ skipping, waiting }, limits)
  const submit = (name: string, background: boolean) =>
    lane.submit({ name, account_id: 'a', background, isWanted: () => true })
  const sent = [submit('first', false), submit('job', true)]
  while (batches.length === 0) await sleep(1)
  sent.push(submit('another job', true), submit('request', false))
  fail()
  const statuses = (await Promise.allSettled(sent)).map(({ status }) => status)
  assert.deepEqual(statuses, ['rejected', 'rejected', 'rejected', 'fulfilled'])
  assert.deepEqual(batches, ['first job', 'request'])
})
