// florin clock advance: takes the sandbox's clock ahead, and does what became due by it.

import { advanceClock, seconds_max } from '../clock/advance-clock.ts'
import { isAddressUnknown, unknown_address } from '../config.ts'
import { PaymentLanes } from '../payments/lanes.ts'
import { paymentRequests } from '../payments/refunds.ts'
import { parseDuration } from '../primitives/duration.ts'
import { Refusal } from '../primitives/refusal.ts'
import { chooseProcessor } from '../processors/processor.ts'
import { operator } from '../sessions/actor.ts'
import { SubscriptionLanes } from '../subscriptions/lanes.ts'
import { TransactionLanes } from '../transactions/lanes.ts'
import { UsageError } from './failures.ts'
import { readSettings } from './settings.ts'
import { print, printJson, symbols, transientMessage } from './terminal.ts'
import { withFoundDatabase } from './with-database.ts'

// Nobody's request waits for this: half an hour is long enough for millions of transactions.
const within_ms = 1_800_000

export async function advanceClockByHand(text: string, options: { json?: true }): Promise<void> {
  const json = options.json === true
  const seconds = readSeconds(text)
  const config = readSettings(options)
  if (config.mode === 'live') {
    throw new Refusal('forbidden', 'In live mode time is real time, and no clock is advanced.')
  }
  // What becomes due writes emails and events, and they hold links.
  if (isAddressUnknown(config)) throw new UsageError(unknown_address)
  const processor = chooseProcessor(config)
  // A clock that nobody has is not advanced: a slip in FLORIN_DATA would make a new one, and say
  // that all is done.
  const time = await withFoundDatabase(config, async (db) => {
    const clear = transientMessage('Doing what became due …')
    const payment_lanes = new PaymentLanes(db, config.public_url)
    const subscription_lanes = new SubscriptionLanes(db, config.public_url)
    const lanes = new TransactionLanes(db, {}, paymentRequests(config.public_url))
    const parts = { db, lanes, payment_lanes, subscription_lanes, processor }
    return advanceClock(parts, { actor: operator, seconds, within_ms }).finally(clear)
  })
  if (json) return printJson(time)
  print(`${symbols.ok} The clock says ${time.now} now, and what became due is done.\n`)
}

function readSeconds(text: string): number {
  const seconds = parseDuration(text)
  if (seconds === undefined) {
    throw new UsageError(`Write how far as 90s, 45m, 12h, 3d or 2w; "${text}" came.`)
  }
  if (seconds >= 1 && seconds <= seconds_max) return seconds
  throw new UsageError(`The clock goes ahead by 1s to 3650d at once; "${text}" came.`)
}
