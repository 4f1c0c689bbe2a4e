import { getRouteApi } from '@tanstack/react-router'
import type { RequestLogEntry } from '../../api/api-types.ts'
import { request_methods, status_classes } from '../../api/developer-filters.ts'
import { useAccountId, useList } from '../../api/use-florin.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { ChooseAccount } from '../../parts/choose-account.tsx'
import { CurlLine } from '../../parts/curl-line.tsx'
import { type Column, DataList } from '../../parts/data-list.tsx'
import { ChoiceFilter, FilterBar } from '../../parts/filters.tsx'
import { durationText, HttpStatus } from '../../parts/http-status.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { isFiltered } from '../../parts/search-params.ts'
import { TextFilter } from '../../parts/text-filter.tsx'
import { When } from '../../parts/when.tsx'

const route = getRouteApi('/shell/requests')

const columns: Column<RequestLogEntry>[] = [
  {
    name: 'Request',
    cell: (row) => (
      <span className="flex gap-2 font-mono text-xs font-medium" title={row.path}>
        <span className="w-12 shrink-0 text-muted max-sm:w-auto">{row.method}</span>
        <span className="line-clamp-2 min-w-0 wrap-anywhere">{row.path}</span>
      </span>
    ),
  },
  { name: 'Status', cell: (row) => <HttpStatus of={row.status} /> },
  {
    name: 'Error',
    from: 'lg',
    cell: (row) => <span className="font-mono text-xs text-muted">{row.error ?? '—'}</span>,
  },
  {
    name: 'Caller',
    from: 'md',
    cell: (row) => <span className="whitespace-nowrap">{callerText(row)}</span>,
  },
  {
    name: 'Duration',
    from: 'md',
    align: 'right',
    cell: (row) => (
      <span className="figures whitespace-nowrap">{durationText(row.duration_ms)}</span>
    ),
  },
  {
    name: 'Time',
    from: 'md',
    align: 'right',
    cell: (row) => (
      <span className="text-muted">
        <When at={row.created_at} real />
      </span>
    ),
  },
]

export function RequestsPage() {
  const account = useAccountId()
  if (account === undefined) return <ChooseAccount title="Request log" what="Requests" />
  return <Requests key={account} />
}

function Requests() {
  const { status, method, path } = route.useSearch()
  const filters = { status, method, path }
  const query = useList(['requests', filters], (florin, page, signal) =>
    florin.requestLogs.list({ ...filters, ...page }, { signal }),
  )
  return (
    <>
      <PageHeader
        title="Request log"
        actions={
          <Button disabled={query.isFetching} onClick={() => query.refetch()}>
            {query.isFetching ? 'Loading…' : 'Refresh'}
          </Button>
        }
      />
      <RequestFilters />
      <Card>
        <DataList
          label="Requests"
          query={query}
          columns={columns}
          folded={(row) => (
            <>
              {callerText(row)} · {durationText(row.duration_ms)} ·{' '}
              <When at={row.created_at} real />
            </>
          )}
          link={(row) => ({ to: '/requests/$id', params: { id: row.id } })}
          empty={isFiltered(filters) ? nothing_matches : none_yet}
        />
      </Card>
    </>
  )
}

export function callerText({ caller }: RequestLogEntry): string {
  return caller.kind === 'api_key' ? 'API key' : 'User'
}

function RequestFilters() {
  const { status, method, path } = route.useSearch()
  const navigate = route.useNavigate()
  const set = (changed: ReturnType<typeof route.useSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })
  const clear = () => set({ status: undefined, method: undefined, path: undefined })
  return (
    <FilterBar clear={isFiltered({ status, method, path }) ? clear : undefined}>
      <ChoiceFilter
        label="Status"
        value={status}
        values={status_classes}
        onChange={(value) => set({ status: value })}
      />
      <ChoiceFilter
        label="Method"
        value={method}
        values={request_methods}
        onChange={(value) => set({ method: value })}
      />
      <TextFilter
        label="Path starts with"
        value={path}
        placeholder="e.g. /v1/payments"
        onChange={(value) => set({ path: value })}
      />
    </FilterBar>
  )
}

const nothing_matches = {
  title: 'No requests match these filters',
  text: 'Requests are kept for 7 days. Clear a filter to see more.',
}

const none_yet = {
  title: 'No requests yet',
  text: 'API requests from the last 7 days appear here. Send one:',
  action: <CurlLine method="GET" path="/v1/account" />,
}
