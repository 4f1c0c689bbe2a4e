// A lane without a database, some of whose accounts somebody else has: they are passed by, and what
// is theirs waits aside in the order in which it came.

import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import {
  held,
  Lane,
  type LaneEntry,
  type LaneLimits,
  type Outcome,
} from '../../src/postgres/lane.ts'

interface Item extends LaneEntry {
  name: string
}

const wide: LaneLimits = { batch_max: 100, queue_max: 1_000, age_max_ms: 60_000 }

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
      others.has(account_id) && !waits ? held : { value: name },
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
  const untilItWaits = async () => {
    for (let turns = 0; turns < 20; turns++) await turn()
    assert.match(batches.at(-1)!, /^waits: /)
  }
  return { lane, batches, submit, letGo, untilItWaits }
}

test('what was passed by comes first in the next batch, and is served with it', async () => {
  const { batches, submit, letGo } = laneOf('a')
  const sent = ['a1', 'b1', 'a2'].map((name) => submit(name))
  await turn()
  sent.push(submit('b2'), submit('a3'))
  letGo('a')
  assert.equal(await sent[1], 'b1')
  await Promise.all(sent)
  assert.deepEqual(batches, ['a1 b1 a2', 'a1 a2 b2 a3'])
})

test('an account that is passed by twice waits aside, in order, and nobody with it', async () => {
  const { lane, batches, submit, letGo, untilItWaits } = laneOf('a')
  const of_a = [submit('a1'), submit('a2')]
  assert.equal(await submit('b1'), 'b1')
  await untilItWaits()
  assert.equal(await submit('b2'), 'b2')
  of_a.push(submit('a3'))
  assert.equal(await submit('c1'), 'c1')
  assert.equal(lane.length, 1, 'the third waits behind the two that are under way')
  letGo('a')
  assert.deepEqual(await Promise.all(of_a), ['a1', 'a2', 'a3'])
  assert.deepEqual(batches, ['a1 a2 b1', 'a1 a2', 'waits: a1 a2', 'b2', 'c1', 'waits: a3'])
  assert.equal(lane.length, 0)
})

test('when nothing of it is left aside, an account goes with all others again', async () => {
  const { lane, batches, submit, letGo, untilItWaits } = laneOf('a')
  const first = submit('a1')
  await untilItWaits()
  letGo('a')
  await first
  await turn()
  await Promise.all([submit('a2'), submit('b1')])
  assert.equal(batches.at(-1), 'a2 b1')
  assert.deepEqual(lane.passed, { batches: 4, entries: 3 })
})

test('what was in the queue already goes aside behind what was passed by', async () => {
  const { batches, submit, letGo, untilItWaits } = laneOf('a', { batch_max: 1 })
  const sent = ['a1', 'a2', 'a3'].map((name) => submit(name))
  const own = submit('a4', { background: true })
  await untilItWaits()
  assert.equal(await submit('b1'), 'b1')
  letGo('a')
  assert.deepEqual(await Promise.all([...sent, own]), ['a1', 'a2', 'a3', 'a4'])
  const aside = ['waits: a1 a4', 'b1', 'waits: a2', 'waits: a3']
  assert.deepEqual(batches, ['a1 a4', 'a1 a4', ...aside])
})

test('however old and many those aside are, the lane is not full for others', async () => {
  const clock = mock.method(performance, 'now')
  let now_ms = 1_000
  clock.mock.mockImplementation(() => now_ms)
  const { lane, submit, letGo, untilItWaits } = laneOf('a', { queue_max: 4, age_max_ms: 1_000 })
  const first = submit('a1')
  await untilItWaits()
  const behind = [submit('a2'), submit('a3')]
  const charged = submit('a4', { must_run: true })
  assert.throws(() => submit('a5'), { code: 'unavailable' }, 'half of a queue, as everywhere')
  now_ms += 2_000
  assert.equal(lane.isFull(), false)
  assert.equal(await submit('b1'), 'b1')
  letGo('a')
  for (const old of behind) await assert.rejects(old, { code: 'unavailable' })
  assert.deepEqual(await Promise.all([first, charged]), ['a1', 'a4'])
  clock.mock.restore()
})

test('several accounts wait aside without each other', async () => {
  const { submit, letGo } = laneOf('ab')
  const of_a = submit('a1')
  const of_b = submit('b1')
  assert.equal(await submit('c1'), 'c1')
  for (let turns = 0; turns < 10; turns++) await turn()
  letGo('b')
  assert.equal(await of_b, 'b1')
  letGo('a')
  assert.equal(await of_a, 'a1')
})
