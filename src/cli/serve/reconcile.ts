// florin reconcile: imports the operator's balance at each payment provider, and prints the ledger,
// the providers and the bank side by side.

import type { Config } from '../../config.ts'
import { importAndMatch } from '../../operations/import-balances.ts'
import { type Reconciliation, reconcileAndStore } from '../../operations/reconcile.ts'
import type { ReconciledLine } from '../../operations/reconciled-line.ts'
import type { Db } from '../../postgres/database.ts'
import type { Difference } from '../../postgres/difference.ts'
import { minorDigits } from '../../primitives/currencies.ts'
import { decimalText } from '../../primitives/money.ts'
import type { MollieSettings } from '../../processor-settings.ts'
import { openProcessor } from '../../processors/processor.ts'
import { ProviderError } from '../../processors/provider.ts'
import { readSettings } from '../settings.ts'
import { faint, formatNumber, print, printJson, strong, symbols } from '../terminal.ts'
import { withExistingDatabase } from './with-database.ts'

export async function reconcileCommand(options: { json?: true; fetch: boolean }): Promise<void> {
  const config = readSettings(options)
  const work = async (db: Db) => {
    if (options.fetch) await importAll(db, config)
    return reconcileAndStore(db)
  }
  const result = await withExistingDatabase(config, work, { no_timeouts: true })
  if (options.json) printResultAsJson(result)
  else {
    printResult(result)
    if (config.mollie !== undefined) explainMollie(config, config.mollie)
  }
  if (result.differences.length > 0) process.exitCode = 1
}

async function importAll(db: Db, config: Config): Promise<void> {
  const { providers } = await openProcessor(config)
  for (const provider of providers) await importAndMatch(db, provider).catch(explain)
}

function explain(error: unknown): never {
  if (!(error instanceof ProviderError)) throw error
  const { is_final } = error
  const advice = 'Retry, or compare with the stored balance: florin reconcile --no-fetch.'
  throw new ProviderError(`${error.message} ${advice}`, { is_final })
}

/** Why the columns of the provider and the bank are empty. */
function explainMollie({ mode }: Config, { access_token }: MollieSettings): void {
  if (access_token !== undefined) return
  const advice =
    'Set FLORIN_MOLLIE_ACCESS_TOKEN to compare them with the ledger and the bank: ' +
    'docs/guides/reconcile.md.'
  const text =
    mode === 'live'
      ? `Mollie's settlements are not imported. ${advice}`
      : 'Mollie has no settlements in test mode, so only the ledger is shown.'
  print(`\n${text}\n`)
}

function printResultAsJson({ lines, differences }: Reconciliation): void {
  for (const line of lines) printJson(line)
  for (const difference of differences) printJson(difference)
  printJson({ ok: differences.length === 0, differences: differences.length })
}

const nothing_to_reconcile =
  'Nothing to reconcile: no provider has taken money, no statement was imported, and no payout ' +
  'was paid.\n'

function printResult({ lines, differences }: Reconciliation): void {
  if (lines.length + differences.length === 0) print(nothing_to_reconcile)
  const groups = Map.groupBy(lines, ({ provider, currency }) => `${provider}, ${currency}`)
  for (const [title, group] of groups) print(`${table(title, group)}\n`)
  for (const difference of differences) print(describe(difference))
  if (differences.length > 0) {
    const noun = differences.length === 1 ? 'difference' : 'differences'
    print(`${symbols.fail} Found ${formatNumber(differences.length)} ${noun}.\n`)
  } else if (lines.length > 0) print(`${symbols.ok} No differences.\n`)
}

const labels: Record<ReconciledLine['line'], string> = {
  charges: 'Charges',
  fees: 'Fees of charges',
  refunds: 'Refunds',
  disputes: 'Disputes',
  other: 'Other',
  settled: 'Settled to the bank',
  remainder: 'Remainder',
  balance: 'Left at the provider',
  payouts: 'Payouts and refunds',
  bank_fees: 'Fees of returns',
  open: 'Not matched',
}

const titles = ['Ledger', 'Provider', 'Bank', 'In progress', 'Difference']
const label_width = 24
const column_width = 16

function table(title: string, lines: ReconciledLine[]): string {
  const head = `${strong(title.padEnd(label_width))}${faint(titles.map(toColumn).join(''))}`
  return [head, ...lines.map(toRow)].map((row) => `${row.trimEnd()}\n`).join('')
}

function toRow(row: ReconciledLine): string {
  const { ledger, at_provider, at_bank, in_progress, difference } = row
  const digits = minorDigits(row.currency)
  const cells = [ledger, at_provider, at_bank, in_progress || null, difference].map((amount) =>
    toColumn(amount === null ? '' : decimalText(amount, digits)),
  )
  return `  ${labels[row.line].padEnd(label_width - 2)}${cells.join('')}`
}

function toColumn(text: string): string {
  return text.padStart(column_width)
}

function describe({ rule, account_id, object, found, expected }: Difference): string {
  const where = account_id === null ? object : `${account_id}, ${object}`
  return `${symbols.fail} ${strong(rule)}  ${where}: found ${found}; expected ${expected}.\n`
}
