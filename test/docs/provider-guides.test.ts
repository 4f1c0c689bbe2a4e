// The guides for payment processors need settings and keys, so their commands are not run. Their
// settings and their list of events are compared with the code.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readConfig, settingNames } from '../../src/config.ts'
import { stripeEvents } from '../../src/processors/stripe.ts'
import { live_env } from '../support/florin.ts'

function readGuide(name: string): string {
  return readFileSync(new URL(`../../docs/guides/${name}`, import.meta.url), 'utf8')
}

/** The settings of the first block, with a key in place of the ellipsis. */
function settingsOf(guide: string): Record<string, string> {
  const [, block] = /^```ini\n([\s\S]*?)^```$/m.exec(guide)!
  const lines = block!.matchAll(/^(\w+)='(.*)'$/gm)
  return Object.fromEntries(lines.map(([, name, value]) => [name!, value!.replace('…', '123')]))
}

for (const [name, provider] of [
  ['take-cards-with-stripe.md', 'stripe'],
  ['take-payments-with-mollie.md', 'mollie'],
  ['bank-transfers.md', 'bank_transfer'],
] as const) {
  test(`the settings of ${name} exist and make a valid live configuration`, () => {
    const guide = readGuide(name)
    const config = readConfig({ ...live_env, ...settingsOf(guide) })
    assert.deepEqual(config.processors, [provider])
    for (const setting of guide.match(/\bFLORIN_[A-Z_]+\b/g)!) {
      assert.ok((settingNames as readonly string[]).includes(setting), setting)
    }
  })
}

test('the guide for Stripe lists the events that Florin uses', () => {
  const list = readGuide('take-cards-with-stripe.md').match(
    /with these events:([\s\S]*?)\n3\. /,
  )![1]!
  const events = list.matchAll(/`([\w.]+)`/g).map(([, event]) => event!)
  assert.deepEqual([...events].toSorted(), stripeEvents.toSorted())
})
