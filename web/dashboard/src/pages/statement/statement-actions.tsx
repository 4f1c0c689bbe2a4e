import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { CursorList } from '../../api/api-types.ts'
import { page_size, useFlorin } from '../../api/use-florin.ts'
import { Button } from '../../parts/button.tsx'
import { reasonOf } from '../../parts/reason-of.ts'
import { saveFile } from '../../parts/save-file.ts'
import { showErrorToast } from '../../parts/toast.tsx'
import type { StatementPeriod } from './statement-period.ts'

// Allows for a large file on a slow connection.
const download_ms = 10 * 60_000

export function DownloadStatement({ period }: { period: StatementPeriod | undefined }) {
  const florin = useFlorin()
  const [busy, setBusy] = useState(false)
  const download = async ({ first, last, from, to }: StatementPeriod) => {
    setBusy(true)
    try {
      const text = await florin.account.getStatementCsv({ from, to }, { timeout_ms: download_ms })
      saveFile(`statement-${first}-${last}.csv`, text)
    } catch (error) {
      showErrorToast('Could not download the statement', reasonOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button disabled={period === undefined || busy} onClick={() => period && download(period)}>
      {busy ? 'Downloading…' : 'Download CSV'}
    </Button>
  )
}

interface PrintStatementProps {
  query: UseInfiniteQueryResult<InfiniteData<CursorList<unknown>>>
}

// About 80 printed pages. For more, users download the CSV.
export const printed_lines_max = 2_000

/** Loads the remaining pages of the list, then prints. */
export function PrintStatement({ query }: PrintStatementProps) {
  const [busy, setBusy] = useState(false)
  const print = async () => {
    setBusy(true)
    const { hasNextPage, isError } = await loadAll(query)
    // The button must be rendered in its normal state before the page is printed.
    flushSync(() => setBusy(false))
    if (isError)
      showErrorToast('Could not load all transactions', 'Try again, or download the CSV.')
    else if (hasNextPage)
      showErrorToast('Printing the latest 2,000 transactions', 'The CSV contains all of them.')
    requestAnimationFrame(() => window.print())
  }
  return (
    <Button disabled={busy || query.data === undefined} onClick={print}>
      {busy ? 'Loading…' : 'Print'}
    </Button>
  )
}

async function loadAll(query: PrintStatementProps['query']) {
  let result: PrintStatementProps['query'] = query
  const pages_max = printed_lines_max / page_size
  for (let pages = 1; pages < pages_max && result.hasNextPage; pages++) {
    result = await result.fetchNextPage()
    if (result.isError) break
  }
  return result
}
