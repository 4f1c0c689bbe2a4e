// Contract tests: what Florin uses of a package beyond its documented interface. After an upgrade,
// a failure names the part.

import assert from 'node:assert/strict'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Returns an assertion whose message names the package, its version and the part. */
export function contractOf(name: string) {
  const { version } = require(`${name}/package.json`) as { version: string }
  return (actual: unknown, expected: unknown, part: string) => {
    const message = `Florin relies on ${part} of ${name} ${version}`
    try {
      assert.deepEqual(actual, expected)
    } catch (error) {
      assert.fail(`${message}: ${(error as Error).message}`)
    }
  }
}
