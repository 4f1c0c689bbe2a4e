// A cursor-paginated list with its states: skeleton, empty, error with retry, rows, more rows, end.
// Further pages are appended, so rows never move.

import { Link, type LinkProps } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { useAccountSettings } from '../api/account-settings.ts'
import { type ListCount, type ListQuery, page_size } from '../api/use-florin.ts'
import { Button } from './button.tsx'
import { Failure } from './failure.tsx'
import { rangeText } from './range-text.ts'

export interface Column<Row> {
  name: string
  cell: (row: Row) => ReactNode
  align?: 'right'
  /** Adds the time zone to the column header. */
  time?: true
  /** The breakpoint from which the column is shown; below it, `folded` shows the value. */
  from?: 'sm' | 'md' | 'lg' | 'xl' | '2xl'
}

// The sidebar takes 232 px from lg on, so a page at 1024 px is as wide as one at 792 px.
const widths = {
  sm: 'max-sm:hidden',
  md: 'max-md:hidden',
  lg: 'max-lg:hidden',
  xl: 'max-xl:hidden',
  '2xl': 'max-2xl:hidden',
}

interface DataListProps<Row> {
  /** The table's aria-label. */
  label: string
  query: ListQuery<Row>
  columns: Column<Row>[]
  /** The page a row opens. */
  link?: (row: Row) => LinkProps
  /** Added to the row's link for screen readers, such as the customer or the reference. */
  name?: (row: Row) => string | null
  /** Hidden columns, in one line under the first cell. */
  folded?: (row: Row) => ReactNode
  empty: { title: string; text: string; action?: ReactNode }
  /** False for a preview of a longer list. */
  foot?: boolean
  /** The total number of rows, if the server counts them. */
  total?: ListCount | undefined
}

export function DataList<Row extends { id: string }>(props: DataListProps<Row>) {
  const { query, empty, foot = true, total } = props
  if (query.isPending) return <Table {...props} rows={undefined} />
  if (query.isError && query.data === undefined) {
    return <Failure error={query.error} retry={() => query.refetch()} />
  }
  const rows = query.data?.pages.flatMap((page) => page.data) ?? []
  if (rows.length === 0) return <EmptyState {...empty} />
  return (
    <>
      <Unseen query={query} />
      <Table {...props} rows={rows} />
      {foot && <Foot query={query} count={rows.length} total={total} />}
    </>
  )
}

/** A list with more than one page loaded does not update by itself. */
function Unseen({ query: { unseen = 0, showUnseen } }: { query: ListQuery<unknown> }) {
  if (unseen === 0) return null
  const show = () => {
    showUnseen?.()
    scrollTo({ top: 0 })
  }
  return (
    <div role="status" className="sticky top-18 z-10 flex h-0 justify-center">
      <button
        type="button"
        onClick={show}
        className="h-9 rounded-full bg-brand px-4 text-xs font-semibold text-on-brand shadow-raised
 pointer-coarse:h-11"
      >
        {unseen >= page_size ? `${page_size}+ new` : `${unseen} new`}
      </button>
    </div>
  )
}

interface TableProps<Row> extends Omit<DataListProps<Row>, 'query' | 'empty' | 'foot' | 'total'> {
  rows: Row[] | undefined
}

/** The table without footer. While `rows` is undefined it shows skeleton rows. */
export function Table<Row extends { id: string }>({
  label,
  columns,
  rows,
  ...rest
}: TableProps<Row>) {
  const { timezone } = useAccountSettings()
  return (
    <table
      className="w-full border-collapse [&_tbody>tr:last-child>td]:border-0"
      aria-label={label}
      aria-busy={rows === undefined}
    >
      <thead>
        <tr>
          {columns.map((column) => (
            <th
              key={column.name}
              scope="col"
              className={`border-b border-line py-2 pl-3 text-xs font-medium text-muted first:pl-0
 ${column.time ? '' : 'md:whitespace-nowrap'} ${layoutClass(column)}`}
            >
              {/* Breaks only before the zone. */}
              <span className={column.time && 'whitespace-nowrap'}>{column.name}</span>
              {column.time && (
                <span className="font-normal whitespace-nowrap">{` (${timezone})`}</span>
              )}
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
  name?: (row: Row) => string | null
  folded?: (row: Row) => ReactNode
}

// The link is in the first cell; a click elsewhere in the row follows it. No overlay covers the
// row, so its text can be selected and tooltips work.
function RowView<Row>({ row, columns, link, name, folded }: RowProps<Row>) {
  const more = name?.(row)
  const handlers = link && { onClick: followRowLink, onAuxClick: followRowLink }
  return (
    <tr className={link ? 'cursor-pointer hover:bg-canvas' : ''} {...handlers}>
      {columns.map((column, at) => (
        <td key={column.name} className={cellClass(column)}>
          {at === 0 && link ? (
            <Link {...link(row)} data-row-link="" className="font-semibold hover:underline">
              {column.cell(row)}
              {more && <span className="sr-only"> {more}</span>}
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

const middle_button = 1

function followRowLink(event: MouseEvent<HTMLTableRowElement>): void {
  const { target, currentTarget, button, ctrlKey, metaKey, shiftKey } = event
  // Clicks in a dialog opened from a cell bubble here through React's tree.
  const is_inside = currentTarget.contains(target as Node)
  if (!is_inside || event.defaultPrevented || (target as Element).closest(pressable)) return
  if (getSelection()?.isCollapsed === false || button > middle_button) return
  const link = currentTarget.querySelector<HTMLAnchorElement>('a[data-row-link]')
  if (button === middle_button || ctrlKey || metaKey || shiftKey)
    open(link?.href, '_blank', 'noopener')
  else link?.click()
}

const pressable = 'a, button, input, select, textarea, label, summary'

// Padding is on the left, because the last column may be hidden. On phones the first column also
// holds the folded values and takes the full width.
function cellClass<Row>(column: Column<Row>): string {
  return `h-12 border-b border-line py-2 pl-3 align-middle first:pl-0 max-md:first:w-full
 ${layoutClass(column)}`
}

function layoutClass<Row>({ align, from }: Column<Row>): string {
  return `${align === 'right' ? 'text-right' : 'text-left'} ${from ? widths[from] : ''}`
}

export function EmptyState({
  title,
  text,
  action,
}: {
  title: string
  text: string
  action?: ReactNode
}) {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-12 text-center max-sm:px-0">
      <p className="text-base font-semibold text-balance">{title}</p>
      <p className="max-w-md text-balance text-muted">{text}</p>
      {action}
    </div>
  )
}

interface FootProps {
  query: ListQuery<unknown>
  count: number
  total: ListCount | undefined
}

function Foot({ query, count, total }: FootProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError } = query
  return (
    <div
      className="flex min-h-14 items-center justify-between gap-4 border-t
 border-line pt-3 text-muted"
    >
      <p role="status" className="figures">
        {isFetchNextPageError
          ? 'Could not load more rows.'
          : rangeText(1, count, hasNextPage ? total : { count, is_exact: true })}
      </p>
      {hasNextPage && (
        <Button disabled={isFetchingNextPage} onClick={() => query.fetchNextPage()}>
          {isFetchingNextPage ? 'Loading…' : isFetchNextPageError ? 'Try again' : 'Show more'}
        </Button>
      )}
    </div>
  )
}
