// The ledger, the payment providers and the bank side by side, as the worker last compared them.

import type { Reconciliation } from '../../api/api-types.ts'
import { useApiQuery } from '../../api/use-florin.ts'
import { Card } from '../../parts/card.tsx'
import { type Column, EmptyState, Table } from '../../parts/data-list.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Money } from '../../parts/money.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { When } from '../../parts/when.tsx'
import { AccountName } from '../accounts/account-name.tsx'
import { providerName } from '../transactions/provider-text.ts'
import { line_names } from './reconciliation-text.ts'
import { SettlementsCard } from './settlements-card.tsx'

export function ReconciliationPage() {
  const result = useApiQuery(['reconciliation'], (florin, signal) =>
    florin.settlements.getReconciliation({ signal }),
  )
  return (
    <>
      <PageHeader title="Reconciliation" />
      {result.data !== undefined ? (
        <ReconciliationView result={result.data} />
      ) : result.isError ? (
        <Card className="mb-4">
          <Failure error={result.error} retry={() => result.refetch()} />
        </Card>
      ) : (
        <Card className="mb-4">
          <div className="skeleton h-64 opacity-40" aria-busy="true" />
        </Card>
      )}
      <SettlementsCard />
    </>
  )
}

function ReconciliationView({ result }: { result: Reconciliation }) {
  const { compared_at, lines, difference_count } = result
  if (compared_at === null || lines.length + difference_count === 0) {
    return (
      <Card className="mb-4">
        <EmptyState {...nothing_compared} />
      </Card>
    )
  }
  const groups = Map.groupBy(lines, ({ provider, currency }) => `${provider} ${currency}`)
  return (
    <>
      <Outcome result={result} compared_at={compared_at} />
      {[...groups].map(([key, group]) => (
        <SideBySide key={key} lines={group} />
      ))}
      <Differences result={result} />
    </>
  )
}

const nothing_compared = {
  title: 'Nothing to reconcile yet',
  text:
    'After the first payment at a provider, bank statement or payout, the worker compares the ' +
    'ledger with providers and the bank every hour.',
}

function Outcome({ result, compared_at }: { result: Reconciliation; compared_at: string }) {
  const { difference_count: count } = result
  const look = count === 0 ? 'bg-brand-soft text-brand' : 'bg-red-soft text-red'
  return (
    <p role="status" className={`mb-4 rounded-xl p-4 ${look}`}>
      <span className="font-semibold">
        {count === 0 ? 'No differences' : count === 1 ? '1 difference' : `${count} differences`}
      </span>
      {' · compared '}
      <When at={compared_at} real />
    </p>
  )
}

type Line = Reconciliation['lines'][number]
type Row = Line & { id: string }

const columns: Column<Row>[] = [
  { name: 'Line', cell: ({ line }) => line_names[line] ?? line },
  {
    name: 'Ledger',
    align: 'right',
    from: 'md',
    cell: (row) => <Amount of={row.ledger} in={row} />,
  },
  {
    name: 'Provider',
    align: 'right',
    from: 'md',
    cell: (row) => <Amount of={row.at_provider} in={row} />,
  },
  { name: 'Bank', align: 'right', from: 'md', cell: (row) => <Amount of={row.at_bank} in={row} /> },
  {
    name: 'In progress',
    align: 'right',
    from: 'md',
    cell: (row) => <Amount of={row.in_progress || null} in={row} />,
  },
  { name: 'Difference', align: 'right', cell: (row) => <DifferenceAmount of={row} /> },
]

function SideBySide({ lines }: { lines: Line[] }) {
  const { provider, currency } = lines[0]!
  const title = `${providerName(provider)}, ${currency}`
  return (
    <Card title={title} className="mb-4">
      <Table
        label={title}
        columns={columns}
        rows={lines.map((line) => ({ ...line, id: line.line }))}
        folded={Folded}
      />
    </Card>
  )
}

function Amount({ of, in: { currency } }: { of: number | null; in: Row }) {
  if (of === null) return <span className="text-muted">—</span>
  return <Money amount={of} currency={currency} />
}

function DifferenceAmount({ of: { difference, currency } }: { of: Row }) {
  const look = difference === 0 ? 'text-muted' : 'font-semibold text-red'
  return (
    <span className={look}>
      <Money amount={difference} currency={currency} />
    </span>
  )
}

/** On a phone, the sides are below the name of the line. */
function Folded(row: Row) {
  const sides: [string, number | null][] = [
    ['Ledger', row.ledger],
    ['Provider', row.at_provider],
    ['Bank', row.at_bank],
    ['In progress', row.in_progress || null],
  ]
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-3">
      {sides.flatMap(([name, amount]) =>
        amount === null
          ? []
          : [
              <dt key={name}>{name}</dt>,
              <dd key={`${name} amount`} className="text-ink">
                <Money amount={amount} currency={row.currency} />
              </dd>,
            ],
      )}
    </dl>
  )
}

function Differences({ result }: { result: Reconciliation }) {
  const { differences, difference_count } = result
  if (difference_count === 0) return null
  return (
    <Card title="Differences" className="mb-4">
      <p className="mb-3 text-muted">Amounts here are in the smallest unit, such as cents.</p>
      <ul>
        {differences.map((one) => (
          <li
            key={`${one.rule} ${one.account_id} ${one.object}`}
            className="border-t border-line py-3 wrap-anywhere first:border-0 first:pt-0"
          >
            <div className="flex flex-wrap gap-x-2 font-semibold">
              <span>{one.object}</span>
              {one.account_id !== null && (
                <span className="font-normal text-muted">
                  <AccountName id={one.account_id} />
                </span>
              )}
            </div>
            <div>{`Found ${one.found}.`}</div>
            <div className="text-muted">{`Expected ${one.expected}.`}</div>
          </li>
        ))}
      </ul>
      {difference_count > differences.length && (
        <p className="text-muted">
          {`The first ${differences.length} are listed. Run florin reconcile to see all of them.`}
        </p>
      )}
    </Card>
  )
}
