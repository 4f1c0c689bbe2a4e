// florin clock advance: advances the sandbox clock and processes everything that becomes due.

import { isAddressUnknown, unknown_address } from '../../config.ts'
import { operator } from '../../identity/sessions/actor.ts'
import { advanceClock, seconds_max } from '../../operations/advance-clock.ts'
import { PaymentLanes } from '../../payments/lanes.ts'
import { paymentRequests } from '../../payments/refunds.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { parseDuration } from '../../primitives/time.ts'
import { openProcessor } from '../../processors/processor.ts'
import { SubscriptionLanes } from '../../subscriptions/lanes.ts'
import { TransactionLanes } from '../../transactions/lanes.ts'
import { UsageError } from '../failures.ts'
import { readSettings } from '../settings.ts'
import { print, printJson, symbols, transientMessage } from '../terminal.ts'
import { withExistingDatabase } from './with-database.ts'

// No request waits for this command, and half an hour is enough for millions of transactions.
const within_ms = 1_800_000

export async function advanceClockCommand(text: string, options: { json?: true }): Promise<void> {
  const json = options.json === true
  const seconds = readSeconds(text)
  const config = readSettings(options)
  if (config.mode === 'live') {
    throw new Refusal(
      'forbidden',
      'The clock can be advanced only in sandbox mode; FLORIN_MODE is live.',
    )
  }
  // Processing writes emails and events that contain links, which need the public URL.
  if (isAddressUnknown(config)) throw new UsageError(unknown_address)
  const processor = await openProcessor(config)
  // Never creates a database: with a typo in FLORIN_DATA the command would appear to succeed.
  const time = await withExistingDatabase(config, async (db) => {
    const clear = transientMessage('Processing what became due …')
    const has_providers = processor.providers.length > 0
    const payment_lanes = new PaymentLanes(db, config.public_url, { has_providers })
    const subscription_lanes = new SubscriptionLanes(db, config.public_url)
    const lanes = new TransactionLanes(db, {}, paymentRequests(config.public_url))
    const parts = { db, lanes, payment_lanes, subscription_lanes, processor }
    return advanceClock(parts, { actor: operator, seconds, within_ms }).finally(clear)
  })
  if (json) return printJson(time)
  print(`${symbols.ok} The clock is now at ${time.now}. Everything due has been processed.\n`)
}

function readSeconds(text: string): number {
  const seconds = parseDuration(text)
  if (seconds === undefined) {
    throw new UsageError(`The duration must look like 90s, 45m, 12h, 3d or 2w; got "${text}".`)
  }
  if (seconds >= 1 && seconds <= seconds_max) return seconds
  throw new UsageError(`The duration must be between 1s and 3650d; got "${text}".`)
}
