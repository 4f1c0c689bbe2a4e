// Waits until a page shows the expected value.
//
// A page may render a value a moment after the text a test waited for, and the moment is long on a
// busy machine. So a value is read repeatedly, and the assertion runs on the last one read.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

const timeout_ms = 20_000

/** Waits until the value equals `expected`, or matches it if it is a RegExp. */
export async function eventually(
  read: () => Promise<unknown>,
  expected: unknown,
  what = 'what the page shows',
): Promise<void> {
  const matches = (value: unknown) =>
    expected instanceof RegExp ? expected.test(String(value)) : isDeepStrictEqual(value, expected)
  const until = Date.now() + timeout_ms
  let last = await read()
  while (!matches(last) && Date.now() < until) {
    await sleep(50)
    last = await read()
  }
  if (expected instanceof RegExp) assert.match(String(last), expected, what)
  else assert.deepEqual(last, expected, what)
}
