// florin import statement: uploads a bank statement. Importing a file again changes nothing.

import { readFile } from 'node:fs/promises'
import type { BankStatement } from '../../../client/src/florin.ts'
import { UsageError } from '../failures.ts'
import { readStdinBytes } from '../read-stdin.ts'
import { formatNumber, print, printJson, symbols, warnUser } from '../terminal.ts'
import { type ApiOptions, withLogin } from './api.ts'

export interface ImportStatementCommand extends ApiOptions {
  columnMap?: string
}

// The timeout covers the upload of 10 MiB.
const timeout_ms = 120_000

export async function importStatement(
  path: string,
  options: ImportStatementCommand,
): Promise<void> {
  const file = await (path === '-' ? readStdinBytes() : readFile(path))
  if (file.length === 0) throw new UsageError('The file is empty. Nothing was sent.')
  await withLogin(options, async (florin) => {
    const query = { column_map: options.columnMap }
    const list = await florin.bankStatements.import(file, query, { timeout_ms })
    if (options.json) printJson(list)
    for (const statement of list.data) report(statement, options)
  })
}

function report(statement: BankStatement, options: ImportStatementCommand): void {
  const { id, bank_account, gap } = statement
  if (options.json) return
  print(`${symbols.ok} ${id} of ${bank_account}: ${describeEntries(statement)}.\n`)
  if (gap !== null) warnUser('statement_gap', `${id}: ${gap}`, options)
}

function describeEntries({ entry_count, new_count }: BankStatement): string {
  const entries = `${formatNumber(entry_count)} ${entry_count === 1 ? 'entry' : 'entries'}`
  return `${entries}, ${formatNumber(new_count)} of them not in an earlier statement`
}
