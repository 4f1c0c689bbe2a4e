// A lane without a database, some of whose accounts somebody else has: they are skipped, and what
// is theirs waits aside in the order in which it came.

import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  Lane,
  type LaneEntry,
  type LaneLimits,
  locked_elsewhere,
  type Outcome,
} from '../../src/postgres/lane.ts'

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

/** Names begin with their account's letter. Whoever waits is served when the account is let go. */
function laneOf(taken: string, limits: Partial<LaneLimits> = {}) {
  const others = new Set(taken)
  const waiters = new Map<string, () => void>()
  const batches: string[] = []
  const run = async (entries: Item[], waits: boolean): Promise<Outcome<string>[]> => {
    const names = entries.map(({ name }) => name).join(' ')
    batches.push(waits ? `waits: ${names}` : names)
    const outcomes = entries.map(({ name, account_id }) =>
      others.has(account_id) && !waits ? locked_elsewhere : { value: name },
    )
    const { account_id } = entries[0]!
    if (waits && others.has(account_id)) {
      await new Promise<void>((resolve) => waiters.set(account_id, resolve))
    } else await turn()
    return outcomes
  }
  const lane = new Lane<Item, string>(run, { ...wide, ...limits })
  const submit = (name: string, more: Partial<Item> = {}) =>
    lane.submit({ name, account_id: name[0]!, background: false, isWanted: () => true, ...more })
  const letGo = (account: string) => {
    others.delete(account)
    waiters.get(account)?.()
  }
  /** Forgets how often it was skipped until then. */
  const untilItWaits = async () => {
    while (!batches.at(-1)?.startsWith('waits: ')) await sleep(1)
    batches.splice(0, batches.length - 1)
  }
  return { lane, batches, submit, letGo, untilItWaits }
}

test('what was skipped comes first in the next batch, and is served with it', async () => {
  const { batches, submit, letGo } = laneOf('a')
  const sent = ['a1', 'b1', 'a2'].map((name) => submit(name))
  await turn()
  sent.push(submit('b2'), submit('a3'))
  letGo('a')
  assert.equal(await sent[1], 'b1')
  await Promise.all(sent)
  assert.deepEqual(batches, ['a1 b1 a2', 'a1 a2 b2 a3'])
})

test('an account that is skipped for long waits aside, in order and alone', async () => {
  const { lane, batches, submit, letGo, untilItWaits } = laneOf('a')
  const of_a = [submit('a1'), submit('a2')]
  assert.equal(await submit('b1'), 'b1')
  await untilItWaits()
  assert.equal(await submit('b2'), 'b2')
  of_a.push(submit('a3'))
  assert.equal(await submit('c1'), 'c1')
  assert.deepEqual(
    [lane.length, lane.in_waiting_lanes],
    [1, 3],
    'the third behind the two under way',
  )
  assert.deepEqual([lane.hasWaitingLane('a'), lane.hasWaitingLane('b')], [true, false])
  letGo('a')
  assert.deepEqual(await Promise.all(of_a), ['a1', 'a2', 'a3'])
  assert.deepEqual(batches, ['waits: a1 a2', 'b2', 'c1', 'waits: a3'])
  assert.deepEqual([lane.length, lane.in_waiting_lanes, lane.hasWaitingLane('a')], [0, 0, false])
})

test('until then it is tried again and again, with a pause that whoever comes ends', async () => {
  const { batches, submit, letGo } = laneOf('a', { skip_max_ms: 60_000 })
  const begun = performance.now()
  const of_a = submit('a1')
  while (batches.length < 5) await sleep(1)
  const most = performance.now() - begun + 2
  assert.ok(batches.length < most, `${batches.length} tries in ${most} ms`)
  assert.equal(await submit('b1'), 'b1')
  assert.ok(batches.includes('a1 b1'))
  letGo('a')
  assert.equal(await of_a, 'a1')
})

test('when nothing of it is left aside, an account goes with all others again', async () => {
  const { lane, batches, submit, letGo, untilItWaits } = laneOf('a')
  const first = submit('a1')
  await untilItWaits()
  const { batches: so_far } = lane.processed
  letGo('a')
  await first
  await turn()
  await Promise.all([submit('a2'), submit('b1')])
  assert.equal(batches.at(-1), 'a2 b1')
  assert.deepEqual(lane.processed, { batches: so_far + 1, entries: 3 })
})

test('what was in the queue already goes aside behind what was skipped', async () => {
  const { batches, submit, letGo, untilItWaits } = laneOf('a', { batch_max: 1 })
  const sent = ['a1', 'a2', 'a3'].map((name) => submit(name))
  const own = submit('a4', { background: true })
  await untilItWaits()
  assert.equal(await submit('b1'), 'b1')
  letGo('a')
  assert.deepEqual(await Promise.all([...sent, own]), ['a1', 'a2', 'a3', 'a4'])
  assert.deepEqual(batches, ['waits: a1 a4', 'b1', 'waits: a2', 'waits: a3'])
})

test('however old and many those aside are, the lane is not full for others', async () => {
  const clock = mock.method(performance, 'now')
  let now_ms = 1_000
  clock.mock.mockImplementation(() => now_ms)
  const limits = { queue_max: 4, age_max_ms: 1_000, skip_max_ms: 0, waiting_lane_age_max_ms: 3_000 }
  const { lane, submit, letGo, untilItWaits } = laneOf('a', limits)
  const first = submit('a1')
  await turn()
  await untilItWaits()
  const behind = [submit('a2'), submit('a3')]
  const charged = submit('a4', { must_run: true })
  assert.throws(() => submit('a5'), { code: 'unavailable' }, 'half of a queue, as everywhere')
  now_ms += 4_000
  assert.equal(lane.isFull(), false)
  assert.equal(await submit('b1'), 'b1')
  letGo('a')
  for (const old of behind) await assert.rejects(old, { code: 'unavailable' })
  assert.deepEqual(await Promise.all([first, charged]), ['a1', 'a4'])
  clock.mock.restore()
})

test('whoever stands behind one that waits may do so as long as a lock is waited for', async () => {
  const clock = mock.method(performance, 'now')
  let now_ms = 1_000
  clock.mock.mockImplementation(() => now_ms)
  const limits = { age_max_ms: 1_000, skip_max_ms: 0, waiting_lane_age_max_ms: 3_000 }
  const { submit, letGo, untilItWaits } = laneOf('a', limits)
  const sent = [submit('a1')]
  await turn()
  await untilItWaits()
  sent.push(submit('a2'))
  now_ms += 2_000
  sent.push(submit('a3'))
  letGo('a')
  assert.deepEqual(await Promise.all(sent), ['a1', 'a2', 'a3'])
  clock.mock.restore()
})

test('what has been tried is not too old, however long that took, and fills nothing', async () => {
  const clock = mock.method(performance, 'now')
  let now_ms = 1_000
  clock.mock.mockImplementation(() => now_ms)
  const tries: string[] = []
  const run = async (entries: Item[]): Promise<Outcome<string>[]> => {
    tries.push(entries.map(({ name }) => name).join(' '))
    // A machine with too much to do.
    now_ms += 2_000
    return entries.map(({ name }) => (tries.length === 1 ? locked_elsewhere : { value: name }))
  }
  const lane = new Lane<Item, string>(run, { ...wide, age_max_ms: 1_000, skip_max_ms: 60_000 })
  const entry = { background: false, isWanted: () => true }
  const sent = [lane.submit({ ...entry, name: 'a1', account_id: 'a' })]
  while (tries.length < 1) await turn()
  sent.push(lane.submit({ ...entry, name: 'b1', account_id: 'b' }))
  assert.deepEqual(await Promise.all(sent), ['a1', 'b1'])
  assert.deepEqual(tries, ['a1', 'a1 b1'])
  clock.mock.restore()
})

test('several accounts wait aside without each other', async () => {
  const { lane, submit, letGo } = laneOf('ab')
  const of_a = submit('a1')
  const of_b = submit('b1')
  assert.equal(await submit('c1'), 'c1')
  while (!(lane.hasWaitingLane('a') && lane.hasWaitingLane('b'))) await sleep(1)
  await turn()
  letGo('b')
  assert.equal(await of_b, 'b1')
  letGo('a')
  assert.equal(await of_a, 'a1')
})

test('an account that is not had in time takes work of our own with it, no request', async () => {
  const batches: string[] = []
  let fail = () => {}
  const run = async (entries: Item[], waits: boolean): Promise<Outcome<string>[]> => {
    if (!waits) return entries.map(() => locked_elsewhere)
    batches.push(entries.map(({ name }) => name).join(' '))
    if (batches.length > 1) return entries.map(({ name }) => ({ value: name }))
    return new Promise((_, reject) => {
      fail = () => reject(new Error('not had in time'))
    })
  }
  const lane = new Lane<Item, string>(run, { ...wide, batch_max: 1, skip_max_ms: 0 })
  const submit = (name: string, background: boolean) =>
    lane.submit({ name, account_id: 'a', background, isWanted: () => true })
  const sent = [submit('first', false), submit('own', true)]
  while (batches.length === 0) await sleep(1)
  sent.push(submit('more of our own', true), submit('request', false))
  fail()
  const words = (await Promise.allSettled(sent)).map(({ status }) => status)
  assert.deepEqual(words, ['rejected', 'rejected', 'rejected', 'fulfilled'])
  assert.deepEqual(batches, ['first own', 'request'])
})
