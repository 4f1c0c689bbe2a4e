// The demo account: a small business with 75 days of history, in which everything has happened that
// can happen. Each part of the story is a function of the day, so a new noun is one more function.

import type { Config } from '../../../config.ts'
import { withoutDelivery } from '../../../email/outbox.ts'
import { findCredentials } from '../../../identity/users/credentials.ts'
import { Random } from '../../../operations/seeding/random.ts'
import { readTime } from '../../../postgres/clock.ts'
import type { Db } from '../../../postgres/database.ts'
import { OneTransactionDb } from '../../../postgres/one-transaction-db.ts'
import { DemoServer } from './demo-server.ts'
import {
  type DemoContext,
  deliverDemoWebhooks,
  demoParts,
  endDemo,
  openDemo,
} from './demo-story.ts'

export const demo_email = 'demo@florin.example'

const days = 75
const day_ms = 86_400_000

/** Returns false, and changes nothing, if the account already exists. */
export async function writeDemoAccount(
  db: Db,
  config: Config,
  { password, seed }: { password: string; seed: string },
): Promise<boolean> {
  const today = await readTime(db)
  const account_id = await db.transaction(async (tx) => {
    if ((await findCredentials(tx, demo_email)) !== undefined) return undefined
    const start = new Date(today.getTime() - days * day_ms)
    const own = new OneTransactionDb(db, tx, start)
    const server = await DemoServer.start(config, own)
    try {
      const random = new Random(seed, 'demo account')
      const context: DemoContext = { server, random, account_id: '', later: [] }
      await withoutDelivery(own, () => play(context, today, password))
      return context.account_id
    } finally {
      await server.close()
    }
  })
  if (account_id === undefined) return false
  await deliverDemoWebhooks(db, account_id)
  return true
}

async function play(context: DemoContext, today: Date, password: string): Promise<void> {
  await openDemo(context, { email: demo_email, password })
  for (let days_ago = days - 1; days_ago >= 0; days_ago--) {
    // The shop is open from nine to five. Today ends now.
    const noon = today.getTime() - days_ago * day_ms
    const hour = days_ago === 0 ? 0 : context.random.below(6 * 3_600_000) - 3 * 3_600_000
    await context.server.moveTo(new Date(noon + hour))
    for (const part of demoParts) await part(context, days_ago)
  }
  await endDemo(context)
}
