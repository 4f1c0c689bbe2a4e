// The filtered list as a file. The API has no file of transactions, so the list is walked page by
// page and written here, up to a number that a spreadsheet opens and a server gives in seconds.

import { useEffect, useRef, useState } from 'react'
import type { ListedTransaction, ListTransactionsQuery } from '../../../../../client/src/florin.ts'
import { decimalText } from '../../../../../src/primitives/amount-text.ts'
import { csvRecord } from '../../../../../src/primitives/csv.ts'
import { minorDigits } from '../../../../../src/primitives/currencies.ts'
import type { Florin } from '../../api/florin.ts'
import { useFlorin } from '../../api/use-florin.ts'
import { Button } from '../../parts/button.tsx'
import { reasonOf } from '../../parts/reason-of.ts'
import { saveFile } from '../../parts/save-file.ts'
import { say, sayFailure } from '../../parts/toast.tsx'

const rows_max = 10_000

interface DownloadProps {
  filters: ListTransactionsQuery
  disabled: boolean
}

export function DownloadTransactions({ filters, disabled }: DownloadProps) {
  const florin = useFlorin()
  const [count, setCount] = useState<number>()
  const walk = useRef<AbortController>(undefined)
  useEffect(() => () => walk.current?.abort(), [])
  const download = async () => {
    walk.current = new AbortController()
    setCount(0)
    try {
      const { rows, cut } = await collect(florin, filters, walk.current.signal, setCount)
      if (rows.length === 0) return sayFailure('No transaction matches, so there is no file.')
      saveFile('transactions.csv', [header, ...rows.map(recordOf)].join(''))
      if (cut) {
        const first = rows_max.toLocaleString('en')
        say(`The newest ${first} are in the file.`, 'Choose fewer days to get the others.')
      }
    } catch (error) {
      if (!walk.current.signal.aborted) sayFailure('No file was made.', reasonOf(error))
    } finally {
      setCount(undefined)
    }
  }
  if (count !== undefined) {
    return (
      <Button onClick={() => walk.current?.abort()}>
        <span className="figures">{count.toLocaleString('en')}</span> rows. Stop
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
): Promise<{ rows: ListedTransaction[]; cut: boolean }> {
  const rows: ListedTransaction[] = []
  // A server that limits how often one may ask says when to go on.
  const options = { signal, retries_max: 5 }
  let page = await florin.transactions.list({ ...filters, limit: 100 }, options)
  for (;;) {
    rows.push(...page.data)
    onCount(rows.length)
    if (!page.has_more) return { rows, cut: false }
    if (rows.length >= rows_max) return { rows, cut: true }
    const starting_after = page.data.at(-1)!.id
    page = await florin.transactions.list({ ...filters, limit: 100, starting_after }, options)
  }
}

const header = csvRecord([
  'id',
  'created_at',
  'type',
  'status',
  'amount',
  'currency',
  'reference',
  'account_id',
])

/** Money out is negative, and amounts have their point: a spreadsheet adds them up. */
function recordOf(row: ListedTransaction): string {
  const text = decimalText(row.amount, minorDigits(row.currency))
  return csvRecord([
    row.id,
    row.created_at,
    row.type,
    row.status,
    Number(row.type === 'refund' ? `-${text}` : text),
    row.currency,
    row.reference,
    row.account_id,
  ])
}
