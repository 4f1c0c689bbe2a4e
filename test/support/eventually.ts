// What a page shows, once it has come to show it.
//
// A page draws what it is told a moment after the words a test waited for, and on a busy machine
// the moment is long. So nothing is read from a page once: it is read until it says what it should,
// and what it says last is what the test is told.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

const patience_ms = 20_000

/** Waits until what is read equals what is expected, or matches it. */
export async function eventually(
  read: () => Promise<unknown>,
  expected: unknown,
  what = 'what the page shows',
): Promise<void> {
  const is = (value: unknown) =>
    expected instanceof RegExp ? expected.test(String(value)) : isDeepStrictEqual(value, expected)
  const until = Date.now() + patience_ms
  let last = await read()
  while (!is(last) && Date.now() < until) {
    await sleep(50)
    last = await read()
  }
  if (expected instanceof RegExp) assert.match(String(last), expected, what)
  else assert.deepEqual(last, expected, what)
}
