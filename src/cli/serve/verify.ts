// florin verify: checks every balance and rule, and prints each difference. Read-only; it can run
// while Florin runs.

import { type VerificationResult, verifyDatabase } from '../../operations/verify-database.ts'
import type { Db } from '../../postgres/database.ts'
import type { Difference } from '../../postgres/difference.ts'
import { readSettings } from '../settings.ts'
import { formatNumber, print, printJson, progressBar, strong, symbols } from '../terminal.ts'
import { withExistingDatabase } from './with-database.ts'

export async function verify(options: { json?: true }): Promise<void> {
  const json = options.json === true
  const config = readSettings(options)
  const work = async (db: Db) => {
    const started = performance.now()
    const bar = progressBar('Verifying', 'postings')
    const sum = await verifyDatabase(db, {
      onDifference(difference) {
        if (json) return printJson(difference)
        bar.clear()
        print(toLine(difference))
      },
      onProgress: (done) => json || bar.move(done.postings, done.of),
    }).finally(() => json || bar.clear())
    return { ...sum, seconds: (performance.now() - started) / 1_000 }
  }
  const { seconds, ...verified } = await withExistingDatabase(config, work, {
    no_timeouts: true,
    reads_only: true,
  })
  const ok = verified.differences === 0
  if (json) printJson({ ok, ...verified, seconds: Math.round(seconds * 10) / 10 })
  else print(summary(verified, seconds))
  if (!ok) process.exitCode = 1
}

function toLine({ rule, account_id, object, found, expected }: Difference): string {
  const where = account_id === null ? object : `${account_id}, ${object}`
  return `${symbols.fail} ${strong(rule)}  ${where}: found ${found}; expected ${expected}.\n`
}

function summary(verified: VerificationResult, seconds: number): string {
  const { accounts, transactions, postings, differences } = verified
  const checked =
    `${count(accounts, 'account')}, ${count(transactions, 'transaction')} and ` +
    `${count(postings, 'posting')} in ${seconds.toFixed(1)} s`
  if (differences === 0) return `${symbols.ok} The ledger is consistent: checked ${checked}.\n`
  return `${symbols.fail} Found ${count(differences, 'difference')} in ${checked}.\n`
}

function count(n: number, noun: string): string {
  return `${formatNumber(n)} ${noun}${n === 1 ? '' : 's'}`
}
