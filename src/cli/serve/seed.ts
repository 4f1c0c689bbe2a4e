// florin seed: creates demo data in a sandbox. Not available in live mode.

import { randomBytes } from 'node:crypto'
import { seedDatabase } from '../../operations/seeding/seed-database.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { UsageError } from '../failures.ts'
import { readSettings } from '../settings.ts'
import { accent, formatNumber, print, printJson, progressBar, symbols } from '../terminal.ts'
import { withMigratedDatabase } from './with-database.ts'

export interface SeedCommand {
  json?: true
  accounts: string
  transactions: string
  seed?: string
}

// Accounts are planned in memory.
const accounts_max = 1_000_000
const transactions_max = 1_000_000_000

export async function seed(options: SeedCommand): Promise<void> {
  const json = options.json === true
  const plan = {
    accounts: readNumber('--accounts', options.accounts, 1, accounts_max),
    transactions: readNumber('--transactions', options.transactions, 0, transactions_max),
    seed: options.seed ?? randomBytes(4).toString('hex'),
  }
  const config = readSettings(options)
  if (config.mode === 'live') {
    throw new Refusal(
      'forbidden',
      'Demo data can be created only in sandbox mode; FLORIN_MODE is live.',
    )
  }
  // Random, and printed once: a fixed demo password would be public.
  const password = `demo-${randomBytes(6).toString('hex')}`
  const { email, seconds } = await withMigratedDatabase(config, async (db) => {
    const started = performance.now()
    const bar = progressBar('Seeding', 'transactions')
    const onProgress = (done: number) => json || bar.move(done, plan.transactions)
    const seeded = await seedDatabase(db, { ...plan, password }, onProgress).finally(
      () => json || bar.clear(),
    )
    return { ...seeded, seconds: (performance.now() - started) / 1_000 }
  })
  if (json) return printJson({ ...plan, email, password, seconds: Math.round(seconds * 10) / 10 })
  print(
    `${symbols.ok} Created ${formatNumber(plan.accounts)} accounts with ` +
      `${formatNumber(plan.transactions)} transactions in ${seconds.toFixed(1)} s. ` +
      `Repeat with --seed ${plan.seed}\n` +
      `  Log in as ${accent(String(email))} or any other owner with the password ` +
      `${accent(password)}\n`,
  )
}

function readNumber(option: string, text: string, min: number, max: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new UsageError(`${option} must be a whole number from ${min} to ${max}; got "${text}".`)
}
