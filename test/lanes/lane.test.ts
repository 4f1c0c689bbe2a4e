// A lane without a database: order, batching and rejection of entries.

import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { AccountLanes } from '../../src/lanes/account-lanes.ts'
import type { LaneEntry, Outcome, RunBatch } from '../../src/lanes/lane-entry.ts'
import type { LaneLimits } from '../../src/lanes/shard-lanes.ts'
import { OutcomeUnknown } from '../../src/postgres/failure.ts'
import { Refusal } from '../../src/primitives/refusal.ts'

interface Item extends LaneEntry {
  name: string
}

const wide: LaneLimits = {
  batch_max: 100,
  queue_max: 1_000,
  age_max_ms: 60_000,
  skip_max_ms: 25,
  waiting_lane_age_max_ms: 60_000,
}

/** No account is locked elsewhere. */
function laneWith(run: RunBatch<Item, string>, limits: Partial<LaneLimits> = {}) {
  return new AccountLanes<Item, string>({ skipping: run, waiting: run }, { ...wide, ...limits })
}

/** A lane whose batches the test ends explicitly. */
function laneOf(limits: Partial<LaneLimits> = {}) {
  const batches: string[][] = []
  const ends: (() => void)[] = []
  const run = async (entries: Item[]): Promise<Outcome<string>[]> => {
    batches.push(entries.map(({ name }) => name))
    await new Promise<void>((resolve) => ends.push(resolve))
    return entries.map(({ name }) => ({ value: name }))
  }
  const lane = laneWith(run, limits)
  const submit = (name: string, more: Partial<Item> = {}) => lane.submit(itemOf(name, more))
  /** Ends the batch in flight and waits until the next one starts. */
  const next = async () => {
    ends.shift()?.()
    await turn()
  }
  return { lane, batches, submit, next }
}

function itemOf(name: string, more: Partial<Item> = {}): Item {
  return { name, account_id: name, background: false, isWanted: () => true, ...more }
}

/** A lane whose first batches fail with these errors. */
function failingLane(errors: Error[]) {
  const batches: string[][] = []
  const run = async (entries: Item[]): Promise<Outcome<string>[]> => {
    batches.push(entries.map(({ name }) => name))
    const error = errors.shift()
    if (error !== undefined) throw error
    return entries.map(({ name }) => ({ value: name }))
  }
  return { batches, lane: laneWith(run) }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('sends at once when idle, without a timer', async () => {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const { batches, submit, next } = laneOf()
  const sent = submit('a')
  await turn()
  assert.deepEqual(batches, [['a']])
  await next()
  assert.equal(await sent, 'a')
  mock.timers.reset()
})

test('batches entries that arrive together, and later ones into the next batch', async () => {
  const { batches, submit, next } = laneOf()
  const sent = ['a', 'b'].map((name) => submit(name))
  await turn()
  sent.push(...['c', 'd', 'e'].map((name) => submit(name)))
  await turn()
  assert.deepEqual(batches, [['a', 'b']])
  await next()
  assert.deepEqual(batches, [
    ['a', 'b'],
    ['c', 'd', 'e'],
  ])
  await next()
  assert.deepEqual(await Promise.all(sent), ['a', 'b', 'c', 'd', 'e'])
})

test('limits the size of a batch, and keeps the order of the rest', async () => {
  const { batches, submit, next } = laneOf({ batch_max: 2 })
  const sent = ['a', 'b', 'c', 'd', 'e'].map((name) => submit(name))
  await turn()
  await next()
  await next()
  await next()
  await Promise.all(sent)
  assert.deepEqual(batches, [['a', 'b'], ['c', 'd'], ['e']])
})

test('counts weights in batches, and never splits or overtakes a heavy entry', async () => {
  const { batches, submit, next } = laneOf({ batch_max: 10 })
  const weights = { a: 1, b: 8, c: 2, d: 30, e: 1, f: 9, g: 1 }
  const sent = Object.entries(weights).map(([name, weight]) => submit(name, { weight }))
  await turn()
  for (let batch = 0; batch < 6; batch++) await next()
  await Promise.all(sent)
  assert.deepEqual(batches, [['a', 'b'], ['c'], ['d'], ['e', 'f'], ['g']])
})

test('counts weights in the queue', async () => {
  const { lane, submit, next } = laneOf({ queue_max: 100 })
  const sent = [submit('first')]
  await turn()
  sent.push(submit('a', { weight: 50 }), submit('b', { weight: 49 }))
  assert.equal(lane.areFull(), false)
  sent.push(submit('c', { weight: 2 }))
  assert.equal(lane.areFull(), true)
  assert.throws(() => submit('d'), { code: 'unavailable' })
  await next()
  assert.equal(lane.areFull(), false)
  await next()
  await next()
  await Promise.all(sent)
})

test('counts weights in the half of the queue that one account may fill', async () => {
  const { submit, next } = laneOf({ queue_max: 100 })
  const of_one = (name: string, weight: number) => submit(name, { account_id: 'one', weight })
  const sent = [submit('first')]
  await turn()
  sent.push(of_one('a', 30))
  assert.throws(() => of_one('b', 21), { code: 'unavailable' })
  sent.push(of_one('c', 20))
  assert.throws(() => of_one('d', 1), { code: 'unavailable' })
  // An entry that is heavier than half of the queue has to wait for the others, and they for it.
  assert.throws(() => of_one('e', 60), { code: 'unavailable' })
  await next()
  sent.push(of_one('f', 60))
  assert.throws(() => of_one('g', 1), { code: 'unavailable' })
  sent.push(submit('other'))
  await next()
  await next()
  await Promise.all(sent)
})

test('rejects new entries when the queue is full, and reports it with areFull()', async () => {
  const { lane, submit, next } = laneOf({ queue_max: 3 })
  const sent = [submit('first')]
  await turn()
  for (const name of ['a', 'b', 'c']) {
    assert.equal(lane.areFull(), false)
    sent.push(submit(name))
  }
  assert.equal(lane.areFull(), true)
  assert.throws(() => submit('d'), { code: 'unavailable', details: { retry_after_s: 1 } })
  await next()
  assert.equal(lane.areFull(), false)
  await next()
  await Promise.all(sent)
})

test('limits one account to half of the queue, until its entries are processed', async () => {
  const { lane, submit, next } = laneOf({ queue_max: 4 })
  const of_one = (name: string) => submit(name, { account_id: 'one' })
  const sent = [submit('first')]
  await turn()
  sent.push(of_one('a'), of_one('b'))
  assert.throws(() => of_one('c'), { code: 'unavailable' })
  sent.push(submit('other'))
  assert.equal(lane.waiting, 3)
  await next()
  sent.push(of_one('d'), of_one('e'))
  assert.throws(() => of_one('f'), { code: 'unavailable' })
  await next()
  await next()
  assert.equal((await Promise.all(sent)).length, 6)
})

test('rejects entries that waited too long, and counts as full while there is one', async () => {
  const clock = mock.method(performance, 'now')
  let now_ms = 1_000
  clock.mock.mockImplementation(() => now_ms)
  const { lane, batches, submit, next } = laneOf({ age_max_ms: 1_000 })
  const first = submit('first')
  await turn()
  const old = submit('old')
  old.catch(() => {})
  now_ms += 900
  const young = submit('young')
  now_ms += 200
  assert.equal(lane.areFull(), true)
  assert.throws(() => submit('late'), { code: 'unavailable' })
  await next()
  await assert.rejects(old, { code: 'unavailable' })
  await next()
  assert.deepEqual([await first, await young], ['first', 'young'])
  assert.deepEqual(batches, [['first'], ['young']])
  assert.equal(lane.areFull(), false)
  clock.mock.restore()
})

test('never rejects a must_run entry because of its age or a full queue', async () => {
  const clock = mock.method(performance, 'now')
  let now_ms = 1_000
  clock.mock.mockImplementation(() => now_ms)
  const { batches, submit, next } = laneOf({ age_max_ms: 1_000, queue_max: 2 })
  const first = submit('first')
  await turn()
  const charged = submit('charged', { must_run: true })
  submit('crowd').catch(() => {})
  assert.throws(() => submit('late'), { code: 'unavailable' })
  const other = submit('charged too', { must_run: true })
  now_ms += 5_000
  await next()
  await next()
  assert.deepEqual(await Promise.all([first, charged, other]), ['first', 'charged', 'charged too'])
  assert.deepEqual(batches, [['first'], ['charged', 'charged too']])
  clock.mock.restore()
})

test('retries a must_run entry after a failure, and rejects the others', async () => {
  const down = new Refusal('unavailable', 'down')
  const { batches, lane } = failingLane([down, down])
  const crowd = lane.submit(itemOf('crowd'))
  const charged = lane.submit(itemOf('charged', { must_run: true }))
  await assert.rejects(crowd, down)
  const later = lane.submit(itemOf('later'))
  await assert.rejects(later, down)
  assert.equal(await charged, 'charged')
  assert.deepEqual(batches, [['crowd', 'charged'], ['charged', 'later'], ['charged']])
})

test('rejects a must_run entry after a bug or an unknown outcome', async () => {
  for (const error of [new TypeError('a bug'), new OutcomeUnknown()]) {
    const { batches, lane } = failingLane([error])
    await assert.rejects(lane.submit(itemOf('charged', { must_run: true })), error)
    assert.deepEqual(batches, [['charged']])
  }
})

test('drops entries whose client has disconnected', async () => {
  const { batches, submit, next } = laneOf()
  const first = submit('first')
  await turn()
  const gone = submit('gone', { isWanted: () => false })
  const stays = submit('stays')
  const rejected = assert.rejects(gone, { code: 'unavailable' })
  await next()
  await rejected
  await next()
  await Promise.all([first, stays])
  assert.deepEqual(batches, [['first'], ['stays']])
})

test('becomes idle when every waiting client has disconnected', async () => {
  const { batches, submit, next } = laneOf()
  const first = submit('first')
  await turn()
  const gone = submit('gone', { isWanted: () => false })
  gone.catch(() => {})
  await next()
  await first
  const after = submit('after')
  await turn()
  await next()
  assert.equal(await after, 'after')
  assert.deepEqual(batches, [['first'], ['after']])
})

test('limits background work to a quarter of a batch, and does not count it as full', async () => {
  const { lane, batches, submit, next } = laneOf({ batch_max: 8, queue_max: 20 })
  const background = (name: string) => submit(name, { background: true, account_id: 'b' })
  const sent = [submit('first')]
  await turn()
  for (let number = 0; number < 20; number++) sent.push(background(`b${number}`))
  assert.equal(lane.areFull(), false)
  for (let number = 0; number < 10; number++) sent.push(submit(`r${number}`))
  await next()
  await next()
  const countOf = (batch: string[]) => batch.filter((name) => name.startsWith('b')).length
  assert.deepEqual(batches.slice(1, 3).map(countOf), [2, 2])
  assert.deepEqual(batches[1]!.filter((name) => name.startsWith('r')).length, 6)
  for (let rounds = 0; rounds < 12; rounds++) await next()
  assert.equal((await Promise.all(sent)).length, 31)
  assert.ok(batches.every((batch) => countOf(batch) <= 2))
})

test('rejects one entry alone, and all entries of a batch that fails', async () => {
  const refusing = laneWith(async (entries) =>
    entries.map(({ name }) => (name === 'bad' ? { error: new Error('no') } : { value: name })),
  )
  const entry = (name: string) => ({
    name,
    account_id: name,
    background: false,
    isWanted: () => true,
  })
  const settled = await Promise.allSettled(
    ['a', 'bad', 'b'].map((name) => refusing.submit(entry(name))),
  )
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  let fails = true
  const failing = laneWith(async (entries) => {
    if (fails) throw new Error('gone')
    return entries.map(({ name }) => ({ value: name }))
  })
  const all = await Promise.allSettled(['a', 'b'].map((name) => failing.submit(entry(name))))
  assert.ok(all.every(({ status }) => status === 'rejected'))
  fails = false
  assert.equal(await failing.submit(entry('c')), 'c', 'the lane still works')
})
