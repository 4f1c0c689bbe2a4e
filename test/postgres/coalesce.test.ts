// Tests which lookups share a statement, and that no result predates its lookup.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coalesce } from '../../src/postgres/coalesce.ts'

const limits = { batch_max: 100, queue_max: 1_000 }
const turn = () => new Promise((resolve) => setImmediate(resolve))

function finderOf(more: Partial<typeof limits> = {}) {
  const batches: number[][] = []
  const ends: (() => void)[] = []
  const find = coalesce<number, string>(
    async (keys) => {
      batches.push(keys)
      await new Promise<void>((resolve) => ends.push(resolve))
      return keys.map((key) => (key < 0 ? undefined : `value ${key}`))
    },
    { ...limits, ...more },
    () => new Error('too many'),
  )
  const next = async () => {
    ends.shift()?.()
    await turn()
  }
  return { find, batches, next }
}

test('combines lookups of one turn into one statement, and later ones into the next', async () => {
  const { find, batches, next } = finderOf()
  const found = [find(1), find(2)]
  await turn()
  found.push(find(3), find(-4), find(1))
  await next()
  await next()
  assert.deepEqual(batches, [
    [1, 2],
    [3, -4, 1],
  ])
  const values = ['value 1', 'value 2', 'value 3', undefined, 'value 1']
  assert.deepEqual(await Promise.all(found), values)
})

test('does not cache: the same key is looked up again', async () => {
  const { find, batches, next } = finderOf()
  for (let times = 0; times < 2; times++) {
    const found = find(1)
    await turn()
    await next()
    assert.equal(await found, 'value 1')
  }
  assert.deepEqual(batches, [[1], [1]])
})

test('does not use the result of a statement that was already in flight', async () => {
  let stored = 'old'
  const ends: (() => void)[] = []
  const find = coalesce<number, string>(
    async (keys) => {
      const seen = stored
      await new Promise<void>((resolve) => ends.push(resolve))
      return keys.map(() => seen)
    },
    limits,
    () => new Error('too many'),
  )
  const before = find(1)
  await turn()
  stored = 'new'
  const after = find(1)
  ends.shift()!()
  await turn()
  ends.shift()!()
  assert.deepEqual([await before, await after], ['old', 'new'])
})

test('limits the keys of a statement, and rejects a lookup when the queue is full', async () => {
  const { find, batches, next } = finderOf({ batch_max: 2, queue_max: 3 })
  const found = [find(0)]
  await turn()
  found.push(find(1), find(2), find(3))
  await assert.rejects(find(4), /too many/)
  await next()
  await next()
  await next()
  await Promise.all(found)
  assert.deepEqual(batches, [[0], [1, 2], [3]])
})

test('rejects only the lookups of the statement that failed', async () => {
  let fails = true
  const find = coalesce<number, string>(
    async (keys) => {
      await turn()
      if (fails) throw new Error('gone')
      return keys.map(String)
    },
    limits,
    () => new Error('too many'),
  )
  const both = await Promise.allSettled([find(1), find(2)])
  assert.ok(both.every(({ status }) => status === 'rejected'))
  fails = false
  assert.equal(await find(3), '3')
})
