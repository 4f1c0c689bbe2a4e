// Exports the filtered list as CSV. The API has no CSV export of transactions, so the pages are
// fetched one by one, up to a limit that loads within seconds and opens in a spreadsheet.

import { useEffect, useRef, useState } from 'react'
import type { ListTransactionsQuery } from '../../../../../client/src/florin.ts'
import { csvAmount } from '../../../../../src/primitives/money.ts'
import { csvRecord } from '../../../../../src/primitives/text.ts'
import { toLocalIso } from '../../../../../src/primitives/time.ts'
import { useAccountSettings } from '../../api/account-settings.ts'
import type { Florin } from '../../api/florin.ts'
import { useFlorin } from '../../api/use-florin.ts'
import { Button } from '../../parts/button.tsx'
import { reasonOf } from '../../parts/reason-of.ts'
import { saveFile } from '../../parts/save-file.ts'
import { showErrorToast, showToast } from '../../parts/toast.tsx'
import { listWithDetails, type TransactionRow } from './transaction-rows.ts'

const rows_max = 10_000

interface DownloadProps {
  filters: ListTransactionsQuery
  disabled: boolean
}

export function DownloadTransactions({ filters, disabled }: DownloadProps) {
  const florin = useFlorin()
  const { timezone } = useAccountSettings()
  const [count, setCount] = useState<number>()
  const walk = useRef<AbortController>(undefined)
  useEffect(() => () => walk.current?.abort(), [])
  const download = async () => {
    walk.current = new AbortController()
    setCount(0)
    try {
      const { rows, cut } = await collect(florin, filters, walk.current.signal, setCount)
      if (rows.length === 0) return showErrorToast('No transactions match these filters')
      saveFile('transactions.csv', [header, ...rows.map((row) => recordOf(row, timezone))].join(''))
      if (cut) {
        const count = rows_max.toLocaleString('en')
        showToast(`Exported the newest ${count} transactions`, 'Narrow the dates for the rest.')
      }
    } catch (error) {
      if (!walk.current.signal.aborted)
        showErrorToast('Could not download the transactions', reasonOf(error))
    } finally {
      setCount(undefined)
    }
  }
  if (count !== undefined) {
    return (
      <Button onClick={() => walk.current?.abort()}>
        Stop (<span className="figures">{count.toLocaleString('en')}</span> rows)
      </Button>
    )
  }
  return (
    <Button disabled={disabled} onClick={download}>
      Download CSV
    </Button>
  )
}

async function collect(
  florin: Florin,
  filters: ListTransactionsQuery,
  signal: AbortSignal,
  onCount: (count: number) => void,
): Promise<{ rows: TransactionRow[]; cut: boolean }> {
  const rows: TransactionRow[] = []
  // The SDK waits and retries when the server's rate limit is reached.
  const options = { signal, retries_max: 5 }
  let page = await listWithDetails(florin, { ...filters, limit: 100 }, options)
  for (;;) {
    rows.push(...page.data)
    onCount(rows.length)
    if (!page.has_more) return { rows, cut: false }
    if (rows.length >= rows_max) return { rows, cut: true }
    const starting_after = page.data.at(-1)!.id
    page = await listWithDetails(florin, { ...filters, limit: 100, starting_after }, options)
  }
}

// Column names match statement.csv.
const header = csvRecord([
  'id',
  'created_at',
  'created_at_local',
  'type',
  'status',
  'reference',
  'customer_email',
  'currency',
  'amount',
  'refunded_amount',
  'account_id',
])

/** Refunds are negative and amounts are decimal, so a spreadsheet can sum them. */
function recordOf(row: TransactionRow, timezone: string): string {
  const { currency } = row
  return csvRecord([
    row.id,
    row.created_at,
    toLocalIso(row.created_at, timezone),
    row.type,
    row.status,
    row.reference,
    row.customer_email ?? null,
    currency,
    csvAmount(row.type === 'refund' ? -row.amount : row.amount, currency),
    csvAmount(row.refunded_amount ?? 0, currency),
    row.account_id,
  ])
}
