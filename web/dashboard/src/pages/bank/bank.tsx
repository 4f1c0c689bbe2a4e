import { getRouteApi } from '@tanstack/react-router'
import { type BankEntry, type BankStatement, bank_entry_statuses } from '../../api/api-types.ts'
import { useList, useUser } from '../../api/use-florin.ts'
import { AccountNumber } from '../../parts/account-number.tsx'
import { Card } from '../../parts/card.tsx'
import { type Column, DataList } from '../../parts/data-list.tsx'
import { ChoiceFilter, FilterBar } from '../../parts/filters.tsx'
import { Money } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Status } from '../../parts/status.tsx'
import { TruncatedText } from '../../parts/truncated-text.tsx'
import { Day, When } from '../../parts/when.tsx'
import { ColumnMaps } from './column-maps.tsx'
import { reasonText, signedAmount } from './entry-text.ts'
import { ImportStatement } from './import-statement.tsx'

const route = getRouteApi('/shell/bank')

const entryColumns: Column<BankEntry>[] = [
  { name: 'Amount', cell: (row) => <Money amount={signedAmount(row)} currency={row.currency} /> },
  { name: 'Status', cell: (row) => <Status of={row.status} /> },
  { name: 'Reason', from: 'lg', cell: (row) => reasonText(row) },
  { name: 'Name', from: 'md', cell: (row) => <TruncatedText text={row.counterparty_name} /> },
  { name: 'Text', from: 'md', cell: (row) => <TruncatedText text={row.remittance} /> },
  { name: 'Booked', from: 'md', align: 'right', cell: (row) => <Booked of={row} /> },
]

const statementColumns: Column<BankStatement>[] = [
  { name: 'Bank account', cell: (row) => <AccountNumber of={row.bank_account} /> },
  { name: 'Format', from: 'lg', cell: (row) => row.format },
  { name: 'Entries', from: 'md', align: 'right', cell: (row) => row.entry_count },
  { name: 'New', from: 'md', align: 'right', cell: (row) => row.new_count },
  {
    name: 'Already imported',
    from: 'lg',
    align: 'right',
    cell: (row) => row.entry_count - row.new_count,
  },
  {
    name: 'Closing balance',
    from: 'md',
    align: 'right',
    cell: ({ closing_balance, currency }) =>
      closing_balance === null || currency === null ? (
        '—'
      ) : (
        <Money amount={closing_balance.amount} currency={currency} />
      ),
  },
  { name: 'Previous statement', from: 'md', cell: (row) => <Continuity of={row} /> },
  {
    name: 'Imported',
    time: true,
    from: 'lg',
    align: 'right',
    cell: (row) => (
      <span className="text-muted">
        <When at={row.created_at} />
      </span>
    ),
  },
]

export function BankPage() {
  const { status } = route.useSearch()
  const navigate = route.useNavigate()
  const set = (chosen: BankEntry['status'] | undefined) =>
    void navigate({ search: { status: chosen }, replace: true })
  const may_import = useUser().may.includes('manage_bank_statements')
  const entries = useList(['bank entries', status], (florin, page, signal) =>
    florin.bankEntries.list({ status, ...page }, { signal }),
  )
  const statements = useList(['bank statements'], (florin, page, signal) =>
    florin.bankStatements.list(page, { signal }),
  )
  return (
    <>
      <PageHeader title="Bank" actions={may_import && <ImportStatement />} />
      <FilterBar clear={status === undefined ? undefined : () => set(undefined)}>
        <ChoiceFilter label="Status" value={status} values={bank_entry_statuses} onChange={set} />
      </FilterBar>
      <div className="grid grid-cols-1 items-start gap-4">
        <Card title="Entries">
          <DataList
            label="Entries"
            query={entries}
            columns={entryColumns}
            folded={FoldedEntry}
            name={(row) => row.counterparty_name ?? row.remittance}
            link={(row) => ({ to: '/bank/$id', params: { id: row.id } })}
            empty={status === undefined ? none_yet : nothing_matches}
          />
        </Card>
        <Card title="Statements">
          <DataList
            label="Statements"
            query={statements}
            columns={statementColumns}
            folded={FoldedStatement}
            empty={no_statements}
          />
        </Card>
        <ColumnMaps />
      </div>
    </>
  )
}

function Booked({ of: { booked_on } }: { of: BankEntry }) {
  return <span className="text-muted">{booked_on === null ? '—' : <Day on={booked_on} />}</span>
}

/** Whether the statement starts with the balance that the one before it ends with. */
function Continuity({ of: { gap, opening_balance } }: { of: BankStatement }) {
  if (opening_balance === null) return <span className="text-muted">—</span>
  if (gap === null) return <span className="text-muted">Nothing missing</span>
  return (
    <span className="text-amber" title={gap}>
      May be missing
      <span className="sr-only">. {gap}</span>
    </span>
  )
}

function FoldedEntry(row: BankEntry) {
  const reason = reasonText(row)
  return (
    <>
      <div className="line-clamp-2">
        {[row.counterparty_name, row.remittance].filter(Boolean).join(' · ')}
      </div>
      <div>
        {reason && `${reason} · `}
        <Booked of={row} />
      </div>
    </>
  )
}

function FoldedStatement(row: BankStatement) {
  const { entry_count, new_count, closing_balance, currency } = row
  return (
    <>
      <div>
        {row.format} · {entry_count} {entry_count === 1 ? 'entry' : 'entries'}, {new_count} new
        {entry_count > new_count && `, ${entry_count - new_count} already imported`}
      </div>
      {closing_balance !== null && currency !== null && (
        <div>
          Closing balance <Money amount={closing_balance.amount} currency={currency} />
        </div>
      )}
      <When at={row.created_at} />
      {row.gap !== null && <div className="text-amber">{row.gap}</div>}
    </>
  )
}

const none_yet = {
  title: 'No bank entries yet',
  text: 'Import a statement of your bank. Its entries settle the payment requests that they name.',
}

const nothing_matches = {
  title: 'No entries match',
  text: 'Clear the filter to see all entries.',
}

const no_statements = {
  title: 'No statements yet',
  text: 'Imported files appear here. A warning shows if one between them is missing.',
}
