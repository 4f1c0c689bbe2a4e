import { getRouteApi } from '@tanstack/react-router'
import type { ListedEmail } from '../../api/api-types.ts'
import { useList } from '../../api/use-florin.ts'
import { Card } from '../../parts/card.tsx'
import { type Column, DataList } from '../../parts/data-list.tsx'
import { ChoiceFilter, FilterBar } from '../../parts/filters.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { isFiltered } from '../../parts/search-params.ts'
import { humanize, Status } from '../../parts/status.tsx'
import { TextFilter } from '../../parts/text-filter.tsx'
import { TruncatedText } from '../../parts/truncated-text.tsx'
import { When } from '../../parts/when.tsx'
import { email_states } from '../admin-labels.ts'
import { FirstPaymentRequest } from '../payments/first-payment-request.tsx'

const route = getRouteApi('/shell/emails')

const columns: Column<ListedEmail>[] = [
  {
    name: 'Subject',
    // Wide enough that only very long words break.
    cell: (row) => <span className="block wrap-anywhere md:min-w-56">{row.subject}</span>,
  },
  { name: 'To', from: 'md', cell: (row) => <TruncatedText text={row.to} look="text-muted" /> },
  { name: 'Type', from: 'lg', cell: (row) => humanize(row.kind) },
  { name: 'State', cell: (row) => <Status of={row.state} /> },
  {
    name: 'Created',
    time: true,
    from: 'md',
    align: 'right',
    cell: (row) => (
      <span className="text-muted">
        <When at={row.created_at} />
      </span>
    ),
  },
]

export function EmailsPage() {
  const { to, state } = route.useSearch()
  const navigate = route.useNavigate()
  const filters = { to, state }
  const query = useList(['emails', filters], (florin, page, signal) =>
    florin.emails.list({ ...filters, ...page }, { signal }),
  )
  const set = (changed: Partial<typeof filters>) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })
  return (
    <>
      <PageHeader title="Emails" />
      <p className="mb-4 max-w-3xl text-muted">
        Emails from the last 90 days. Without a mail server, as in a new sandbox, emails are stored
        here and not sent.
      </p>
      <FilterBar
        clear={isFiltered(filters) ? () => set({ to: undefined, state: undefined }) : undefined}
      >
        <TextFilter
          label="To"
          exact
          value={to}
          placeholder="Full email address"
          onChange={(value) => set({ to: value })}
        />
        <ChoiceFilter
          label="State"
          value={state}
          values={email_states}
          onChange={(value) => set({ state: value })}
        />
      </FilterBar>
      <Card>
        <DataList
          label="Emails"
          query={query}
          columns={columns}
          folded={(row) => (
            <>
              <When at={row.created_at} /> · {row.to}
            </>
          )}
          link={(row) => ({ to: '/emails/$id', params: { id: row.id } })}
          empty={isFiltered(filters) ? nothing_matches : none_yet}
        />
      </Card>
    </>
  )
}

const nothing_matches = {
  title: 'No emails match these filters',
  text: 'Enter the full email address, or clear a filter.',
}

const none_yet = {
  title: 'No emails yet',
  text: 'A payment request sends an email to the customer.',
  action: <FirstPaymentRequest />,
}
