// A list by cursor, in each of its states: the skeleton of its rows, empty with the line that fills
// it, an error with another try, rows, more rows, the end. Pages are added below; nothing jumps.

import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { CursorList } from '../api/shapes.ts'
import { useAccountId } from '../api/use-florin.ts'
import { Button } from './button.tsx'
import { Failure } from './failure.tsx'

export interface Column<Row> {
  name: string
  cell: (row: Row) => ReactNode
  align?: 'right'
  /** Times of the account's zone, or of UTC over all accounts, which its head then says. */
  time?: true
  /** From which width on it has a column of its own; below, `folded` tells it in the row. */
  from?: 'sm' | 'md' | 'lg' | 'xl'
}

// From lg on the navigation takes 232 px: a page is no wider at 1024 than at 792.
const widths = {
  sm: 'max-sm:hidden',
  md: 'max-md:hidden',
  lg: 'max-lg:hidden',
  xl: 'max-xl:hidden',
}

interface DataListProps<Row> {
  /** What a screen reader calls the table. */
  label: string
  query: UseInfiniteQueryResult<InfiniteData<CursorList<Row>>>
  columns: Column<Row>[]
  /** Where a row leads. */
  link?: (row: Row) => LinkProps
  /** The columns that have no room, in one quiet line under the first cell. */
  folded?: (row: Row) => ReactNode
  empty: { title: string; text: string; action?: ReactNode }
  /** False where the list is only a first look at another. */
  foot?: boolean
}

export function DataList<Row extends { id: string }>(props: DataListProps<Row>) {
  const { query, empty, foot = true } = props
  if (query.isPending) return <Table {...props} rows={undefined} />
  if (query.isError && query.data === undefined) {
    return <Failure error={query.error} retry={() => query.refetch()} />
  }
  const rows = query.data?.pages.flatMap((page) => page.data) ?? []
  if (rows.length === 0) return <Empty {...empty} />
  return (
    <>
      <Table {...props} rows={rows} />
      {foot && <Foot query={query} count={rows.length} />}
    </>
  )
}

interface TableProps<Row> extends Omit<DataListProps<Row>, 'query' | 'empty' | 'foot'> {
  rows: Row[] | undefined
}

/** The table alone, for lists with another foot. Without rows it is the skeleton of them. */
export function Table<Row extends { id: string }>({
  label,
  columns,
  rows,
  ...rest
}: TableProps<Row>) {
  const by_utc = useAccountId() === undefined && columns.some(({ time }) => time)
  return (
    <table
      className="w-full border-collapse [&_tbody>tr:last-child>td]:border-0"
      aria-label={label}
      aria-busy={rows === undefined}
    >
      {/* Where the column with the times has folded, nothing else would say it. */}
      {by_utc && (
        <caption className="pb-1 text-left text-xs text-muted md:hidden">Times are in UTC.</caption>
      )}
      <thead>
        <tr>
          {columns.map((column) => (
            <th
              key={column.name}
              scope="col"
              className={`border-b border-line py-2 pl-3 text-xs font-medium text-muted first:pl-0
 md:whitespace-nowrap ${placeOf(column)}`}
            >
              {column.name}
              {by_utc && column.time && ' (UTC)'}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows === undefined
          ? skeletons.map((key) => <SkeletonRow key={key} columns={columns} />)
          : rows.map((row) => <RowView key={row.id} row={row} columns={columns} {...rest} />)}
      </tbody>
    </table>
  )
}

const skeletons = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

function SkeletonRow<Row>({ columns }: { columns: Column<Row>[] }) {
  return (
    <tr>
      {columns.map((column) => (
        <td key={column.name} className={cellClass(column)}>
          <span className="skeleton inline-block h-3.5 w-20 max-w-full align-middle" />
        </td>
      ))}
    </tr>
  )
}

interface RowProps<Row> {
  row: Row
  columns: Column<Row>[]
  link?: (row: Row) => LinkProps
  folded?: (row: Row) => ReactNode
}

function RowView<Row>({ row, columns, link, folded }: RowProps<Row>) {
  return (
    <tr className={`relative ${link ? 'hover:bg-canvas' : ''}`}>
      {columns.map((column, at) => (
        <td key={column.name} className={cellClass(column)}>
          {at === 0 && link ? (
            // The whole row is the link's target; what is pressed in the row stands above it.
            <Link {...link(row)} className="font-semibold after:absolute after:inset-0">
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
          {at === 0 && folded && (
            <div className="mt-0.5 text-xs wrap-anywhere whitespace-normal text-muted md:hidden">
              {folded(row)}
            </div>
          )}
        </td>
      ))}
    </tr>
  )
}

// The room stands before a cell: the first column is always there, and the last may have folded.
function cellClass<Row>(column: Column<Row>): string {
  return `h-12 border-b border-line py-2 pl-3 align-middle first:pl-0 ${placeOf(column)}`
}

function placeOf<Row>({ align, from }: Column<Row>): string {
  return `${align === 'right' ? 'text-right' : 'text-left'} ${from ? widths[from] : ''}`
}

export function Empty({
  title,
  text,
  action,
}: {
  title: string
  text: string
  action?: ReactNode
}) {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-12 text-center">
      <p className="text-base font-semibold">{title}</p>
      <p className="max-w-md text-muted">{text}</p>
      {action}
    </div>
  )
}

interface FootProps {
  query: UseInfiniteQueryResult<InfiniteData<CursorList<unknown>>>
  count: number
}

function Foot({ query, count }: FootProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError } = query
  return (
    <div
      className="flex min-h-14 items-center justify-between gap-4 border-t
 border-line pt-3 text-muted"
    >
      <p role="status">
        {isFetchNextPageError
          ? 'The next page could not be loaded.'
          : hasNextPage
            ? `${count} shown`
            : count === 1
              ? 'That is the only one.'
              : `All ${count} shown.`}
      </p>
      {hasNextPage && (
        <Button disabled={isFetchingNextPage} onClick={() => query.fetchNextPage()}>
          {isFetchingNextPage ? 'Loading…' : isFetchNextPageError ? 'Try again' : 'Show more'}
        </Button>
      )}
    </div>
  )
}
