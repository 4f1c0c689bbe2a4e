import { getRouteApi } from '@tanstack/react-router'
import type { AuditEntry } from '../../api/api-types.ts'
import type { Florin } from '../../api/florin.ts'
import { useAccountId, useList } from '../../api/use-florin.ts'
import { Card } from '../../parts/card.tsx'
import { CurlLine } from '../../parts/curl-line.tsx'
import { type Column, DataList } from '../../parts/data-list.tsx'
import { ChoiceFilter, DayRangeFilter, FilterBar } from '../../parts/filters.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { isFiltered } from '../../parts/search-params.ts'
import { TextFilter } from '../../parts/text-filter.tsx'
import { useDayBounds } from '../../parts/use-day-bounds.tsx'
import { When } from '../../parts/when.tsx'
import { AuditDetails, AuditSentence } from './audit-line.tsx'
import { audit_nouns } from './audit-text.ts'

const route = getRouteApi('/shell/audit')

const columns: Column<AuditEntry>[] = [
  {
    name: 'Action',
    cell: (row) => (
      <div className="max-w-3xl">
        <AuditSentence entry={row} />
        <AuditDetails entry={row} />
      </div>
    ),
  },
  {
    name: 'Date',
    time: true,
    align: 'right',
    from: 'md',
    cell: (row) => (
      <span className="text-muted">
        <When at={row.created_at} absolute />
      </span>
    ),
  },
]

/** An email without a user gives no entries, as an unknown id does. */
async function userWithEmail(florin: Florin, email: string, signal: AbortSignal) {
  const { data } = await florin.users.list({ search: email, limit: 100 }, { signal })
  const wanted = email.toLowerCase()
  return data.find((user) => user.email.toLowerCase() === wanted)?.id ?? email
}

export function AuditPage() {
  const { action, actor, object, date_from, date_to } = route.useSearch()
  const { bounds, isReady, failure } = useDayBounds(date_from, date_to)
  const filters = { action, actor, object, ...bounds }
  const account = useAccountId()
  const query = useList(
    ['audit', filters],
    async (florin, page, signal) => {
      // The log stores user ids; an email is resolved first.
      const by = actor?.includes('@') ? await userWithEmail(florin, actor, signal) : actor
      const query = { ...filters, actor: by, action: prefixOf(action) }
      return florin.auditLog.list({ ...query, ...page }, { signal })
    },
    { enabled: isReady },
  )
  return (
    <>
      <PageHeader title="Audit log" />
      <p className="mb-4 max-w-3xl text-muted">
        Append-only record of admin and API actions{account !== undefined && ' on this account'}.
      </p>
      <AuditFilters />
      <Card>
        {failure || (
          <DataList
            label="Audit log"
            query={query}
            columns={columns}
            folded={(row) => <When at={row.created_at} absolute />}
            empty={isFiltered(filters) ? nothing_matches : none_yet}
          />
        )}
      </Card>
    </>
  )
}

/** "user" matches all actions that start with "user."; "user.created" matches only itself. */
function prefixOf(action: string | undefined): string | undefined {
  return action === undefined || action.includes('.') ? action : `${action}.`
}

const nothing_matches = {
  title: 'No entries match these filters',
  text: 'Clear a filter or choose other dates.',
}

const none_yet = {
  title: 'No entries yet',
  text: 'Actions by admins and platforms appear here. Create a user to add the first entry:',
  action: (
    <CurlLine
      path="/v1/users"
      body={{ email: 'ada@example.com', password: 'Choose-One-2026' }}
      token="FLORIN_TOKEN"
    />
  ),
}

function AuditFilters() {
  const filters = route.useSearch()
  const { action, actor, object, date_from, date_to } = filters
  const navigate = route.useNavigate()
  const set = (changed: Partial<typeof filters>) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })
  const clear = () =>
    set({
      action: undefined,
      actor: undefined,
      object: undefined,
      date_from: undefined,
      date_to: undefined,
    })
  const known = action === undefined || audit_nouns.some((noun) => noun === action)
  return (
    <FilterBar
      clear={isFiltered({ action, actor, object, date_from, date_to }) ? clear : undefined}
    >
      <ChoiceFilter
        label="Resource"
        value={action}
        values={known ? audit_nouns : [...audit_nouns, action]}
        onChange={(value) => set({ action: value })}
      />
      <TextFilter
        label="Actor"
        exact
        className="sm:w-48"
        placeholder="Email, usr_… or key_…"
        value={actor}
        onChange={(value) => set({ actor: value })}
      />
      <TextFilter
        label="Object"
        exact
        className="sm:w-48"
        placeholder="acct_…, usr_…, txn_…"
        value={object}
        onChange={(value) => set({ object: value })}
      />
      <DayRangeFilter
        from={date_from}
        to={date_to}
        onFrom={(value) => set({ date_from: value })}
        onTo={(value) => set({ date_to: value })}
      />
    </FilterBar>
  )
}
