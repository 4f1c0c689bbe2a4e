// A list with numbered pages and an exact total. The page number is in the URL. The rows of the
// previous page stay, dimmed, until the next page is loaded.

import type { UseQueryResult } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type NumberedRows, numbered_page_size } from '../api/use-numbered-list.ts'
import { Button } from './button.tsx'
import { type Column, EmptyState, Table } from './data-list.tsx'
import { Failure } from './failure.tsx'
import { grouped, rangeText } from './range-text.ts'

interface NumberedListProps<Row> {
  label: string
  query: UseQueryResult<NumberedRows<Row>>
  columns: Column<Row>[]
  link?: (row: Row) => LinkProps
  name?: (row: Row) => string | null
  folded?: (row: Row) => ReactNode
  empty: { title: string; text: string; action?: ReactNode }
  onPage: (page: number) => void
}

export function NumberedList<Row extends { id: string }>(props: NumberedListProps<Row>) {
  const { query, empty, onPage, ...table } = props
  if (query.isPending) return <Table {...table} rows={undefined} />
  if (query.isLoadingError) return <Failure error={query.error} retry={() => query.refetch()} />
  const { rows, page, total } = query.data
  if (total === 0) return <EmptyState {...empty} />
  if (rows.length === 0) return <PastTheEnd page={page} total={total} onPage={onPage} />
  return (
    <>
      <div className={query.isPlaceholderData ? 'opacity-60' : ''}>
        <Table {...table} rows={rows} />
      </div>
      <Foot data={query.data} busy={query.isPlaceholderData} onPage={onPage} />
    </>
  )
}

interface FootProps {
  data: NumberedRows<unknown>
  busy: boolean
  onPage: (page: number) => void
}

function Foot({ data: { rows, page, total }, busy, onPage }: FootProps) {
  const first = (page - 1) * numbered_page_size + 1
  const pages = Math.ceil(total / numbered_page_size)
  return (
    <div
      className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t
 border-line pt-3 text-muted"
    >
      <p role="status" className="figures">
        {rangeText(first, first + rows.length - 1, { count: total, is_exact: true })}
      </p>
      {pages > 1 && (
        <nav aria-label="Pages" className="flex items-center gap-2">
          <Button disabled={page === 1 || busy} onClick={() => onPage(page - 1)}>
            Previous
          </Button>
          <span className="figures px-1">
            Page {grouped(page)} of {grouped(pages)}
          </span>
          <Button disabled={page >= pages || busy} onClick={() => onPage(page + 1)}>
            Next
          </Button>
        </nav>
      )}
    </div>
  )
}

function PastTheEnd(props: { page: number; total: number; onPage: (page: number) => void }) {
  const last = Math.ceil(props.total / numbered_page_size)
  return (
    <EmptyState
      title={`Page ${grouped(props.page)} does not exist`}
      text={`The last page is ${grouped(last)}.`}
      action={<Button onClick={() => props.onPage(last)}>Go to page {grouped(last)}</Button>}
    />
  )
}
