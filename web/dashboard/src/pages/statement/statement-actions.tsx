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

// A year of a busy account is a large file, and a slow line takes its time.
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
      showErrorToast('The file could not be made.', reasonOf(error))
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

// Some eighty sheets of paper. Whoever wants more wants the file.
export const printed_lines_max = 2_000

/** Loads what the list has not shown yet, and prints all of it. */
export function PrintStatement({ query }: PrintStatementProps) {
  const [busy, setBusy] = useState(false)
  const print = async () => {
    setBusy(true)
    const { hasNextPage, isError } = await loadAll(query)
    // The button must stand as usual when the page is frozen for the paper.
    flushSync(() => setBusy(false))
    if (isError)
      showErrorToast('Not all movements could be loaded.', 'Try again, or download the CSV.')
    else if (hasNextPage)
      showErrorToast('Too many to print.', 'The latest 2,000 are printed. The CSV has all.')
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
