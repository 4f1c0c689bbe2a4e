import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { createFairQueue } from '../../src/postgres/fair-queue.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Reads that the test ends explicitly; `begun` has their names in order. */
function reads(limits = { concurrency_max: 2, wait_max_ms: 60_000 }) {
  const begun: string[] = []
  const ends = new Map<string, (failure?: Error) => void>()
  const takeTurn = createFairQueue(limits)
  /** The first character of a name is its key. */
  const read = (name: string) =>
    takeTurn(name[0]!, () => {
      begun.push(name)
      return new Promise<string>((resolve, reject) => {
        ends.set(name, (failure) => (failure ? reject(failure) : resolve(name)))
      })
    })
  const end = async (name: string, failure?: Error) => {
    ends.get(name)!(failure)
    await turn()
  }
  return { begun, read, end }
}

test('limits concurrency in total and per key', async () => {
  const { begun, read, end } = reads()
  const all = ['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => read(name))
  await turn()
  assert.deepEqual(begun, ['a1', 'b1'], 'the first of each key')
  await end('b1')
  assert.deepEqual(begun, ['a1', 'b1', 'c1'], 'not a second one of a key that is still running')
  await end('a1')
  await end('c1')
  await end('a2')
  await end('a3')
  assert.deepEqual(begun, ['a1', 'b1', 'c1', 'a2', 'a3'])
  assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'a3', 'b1', 'c1'])
})

test('moves a key to the end after its turn', async () => {
  const { begun, read, end } = reads()
  const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'c1'].map((name) => read(name))
  await turn()
  for (const name of ['a1', 'b1', 'a2', 'b2', 'c1', 'a3', 'b3']) await end(name)
  assert.deepEqual(begun, ['a1', 'b1', 'a2', 'b2', 'c1', 'a3', 'b3'])
  await Promise.all(all)
})

test('runs the next read after one fails', async () => {
  const { begun, read, end } = reads()
  const [failing, next] = [read('a1'), read('a2')]
  failing.catch(() => {})
  await turn()
  await end('a1', new Error('no'))
  await assert.rejects(failing, /no/)
  await end('a2')
  assert.equal(await next, 'a2')
  assert.deepEqual(begun, ['a1', 'a2'])
})

test('rejects a read that has waited too long at the next turn', async () => {
  const clock = mock.method(performance, 'now')
  let now_ms = 1_000
  clock.mock.mockImplementation(() => now_ms)
  const { begun, read, end } = reads({ concurrency_max: 1, wait_max_ms: 2_000 })
  const [first, late] = [read('a1'), read('b1')]
  const rejected = assert.rejects(late, { code: 'unavailable', details: { retry_after_s: 1 } })
  await turn()
  now_ms += 2_001
  const last = read('c1')
  await rejected
  await end('a1')
  await end('c1')
  assert.deepEqual(await Promise.all([first, last]), ['a1', 'c1'])
  assert.deepEqual(begun, ['a1', 'c1'])
  clock.mock.restore()
})

test('prefers a class below its share, and lends unused shares to others', async () => {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const takeTurn = createFairQueue({
    concurrency_max: 2,
    concurrency_per_key_max: 2,
    wait_max_ms: 60_000,
    shares: { login: 1, other: 1 },
  })
  const run = (name: string, of: string) =>
    takeTurn(
      name[0]!,
      () => {
        begun.push(name)
        return new Promise<void>((resolve) => ends.push(resolve))
      },
      { class: of },
    )
  const others = ['a1', 'a2', 'a3', 'b1'].map((name) => run(name, 'other'))
  await turn()
  assert.deepEqual(begun, ['a1', 'a2'], 'both slots while no login waits')
  const logins = ['c1', 'c2'].map((name) => run(name, 'login'))
  for (let at = 0; at < 6; at++) {
    ends[at]!()
    await turn()
  }
  assert.deepEqual(begun, ['a1', 'a2', 'c1', 'a3', 'c2', 'b1'])
  await Promise.all([...others, ...logins])
})

test('drops the newest request of the longest key when the queue is full', async () => {
  const gate = Promise.withResolvers<void>()
  const takeTurn = createFairQueue({
    concurrency_max: 1,
    wait_max_ms: 60_000,
    waiting_max: 4,
    waiting_per_key_max: 3,
  })
  const run = (key: string) => takeTurn(key, () => gate.promise)
  const first = run('a')
  const waiting = [run('a'), run('a'), run('a')]
  await assert.rejects(run('a'), { code: 'unavailable' }, 'the limit per key')
  const small = [run('b'), run('b')]
  await assert.rejects(waiting[2]!, { code: 'unavailable' }, 'dropped')
  assert.equal(takeTurn.hasRoom('c'), true)
  assert.equal(takeTurn.hasRoom('b'), false, 'no other key has more waiting requests')
  gate.resolve()
  await Promise.all([first, waiting[0], waiting[1], ...small])
})

test('drops a request whose client has disconnected', async () => {
  const gate = Promise.withResolvers<void>()
  const takeTurn = createFairQueue({ concurrency_max: 1, wait_max_ms: 60_000 })
  const first = takeTurn('a', () => gate.promise)
  let is_wanted = true
  const gone = takeTurn('b', async () => assert.fail('it ran'), { isWanted: () => is_wanted })
  is_wanted = false
  gate.resolve()
  await assert.rejects(gone, { code: 'unavailable' })
  await first
})
