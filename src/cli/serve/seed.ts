// florin seed: creates demo data in a sandbox. Not available in live mode.

import { randomBytes } from 'node:crypto'
import type { Config } from '../../config.ts'
import type { SeedOptions } from '../../operations/seeding/plan-seed.ts'
import { seedDatabase } from '../../operations/seeding/seed-database.ts'
import type { Db } from '../../postgres/database.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { UsageError } from '../failures.ts'
import { readSettings } from '../settings.ts'
import { accent, formatNumber, print, printJson, progressBar, symbols } from '../terminal.ts'
import { demo_email, writeDemoAccount } from './demo/demo-account.ts'
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
  const result = await withMigratedDatabase(
    config,
    (db) => fill(db, config, { ...plan, password, json }),
    {
      // The demo account is one transaction of a few seconds.
      no_timeouts: true,
    },
  )
  const { email, demo_created, seconds } = result
  if (json) {
    const rounded = Math.round(seconds * 10) / 10
    return printJson({ ...plan, email, demo_created, password, seconds: rounded })
  }
  print(
    `${symbols.ok} Created ${formatNumber(plan.accounts)} accounts with ` +
      `${formatNumber(plan.transactions)} transactions in ${seconds.toFixed(1)} s. ` +
      `Repeat with --seed ${plan.seed}\n` +
      (demo_created ? '' : `  ${demo_email} exists already and was not changed.\n`) +
      `  Log in as ${accent(String(email))} or any other owner with the password ` +
      `${accent(password)}\n`,
  )
}

interface Filled {
  /** The email to log in with. */
  email: string | undefined
  demo_created: boolean
  seconds: number
}

async function fill(
  db: Db,
  config: Config,
  plan: SeedOptions & { password: string; json: boolean },
): Promise<Filled> {
  const started = performance.now()
  const bar = progressBar('Seeding', 'transactions')
  const onProgress = (done: number) => plan.json || bar.move(done, plan.transactions)
  try {
    const { email } = await seedDatabase(db, plan, onProgress)
    const demo_created = await writeDemoAccount(db, config, plan)
    const seconds = (performance.now() - started) / 1_000
    return { email: demo_created ? demo_email : email, demo_created, seconds }
  } finally {
    if (!plan.json) bar.clear()
  }
}

function readNumber(option: string, text: string, min: number, max: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new UsageError(`${option} must be a whole number from ${min} to ${max}; got "${text}".`)
}
