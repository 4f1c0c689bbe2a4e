import type { Settlement } from '../../api/api-types.ts'
import { useList } from '../../api/use-florin.ts'
import { Card } from '../../parts/card.tsx'
import { type Column, DataList } from '../../parts/data-list.tsx'
import { Money } from '../../parts/money.tsx'
import { ShortId } from '../../parts/short-id.tsx'
import { Status } from '../../parts/status.tsx'
import { Day } from '../../parts/when.tsx'
import { providerName } from '../transactions/provider-text.ts'
import { remainderOf, status_looks } from './reconciliation-text.ts'

const columns: Column<Settlement>[] = [
  { name: 'Amount', cell: (row) => <Money amount={row.amount} currency={row.currency} code /> },
  { name: 'Status', cell: (row) => <Status {...status_looks[row.status]} /> },
  { name: 'Provider', from: 'md', cell: (row) => providerName(row.provider) },
  { name: 'Provider’s ID', from: 'lg', cell: (row) => <ShortId id={row.provider_id} copy /> },
  { name: 'Bank', from: 'md', cell: (row) => <AtBank of={row} /> },
  { name: 'Remainder', from: 'md', align: 'right', cell: (row) => <Remainder of={row} /> },
  {
    name: 'Arrives',
    from: 'md',
    align: 'right',
    cell: (row) => (
      <span className="text-muted">
        <ArrivalDay of={row} />
      </span>
    ),
  },
]

/** The transfers from payment providers to the operator's bank. */
export function SettlementsCard() {
  const query = useList(['settlements'], (florin, page, signal) =>
    florin.settlements.list(page, { signal }),
  )
  return (
    <Card title="Settlements">
      <DataList
        label="Settlements"
        query={query}
        columns={columns}
        folded={Folded}
        name={(row) => row.provider_id}
        link={(row) => ({ to: '/reconciliation/$id', params: { id: row.id } })}
        empty={{
          title: 'No settlements',
          text: 'When a payment provider pays out to your bank account, it appears here.',
        }}
      />
    </Card>
  )
}

function Remainder({ of }: { of: Settlement }) {
  if (of.entries !== 'complete') return <span className="text-muted">—</span>
  const amount = remainderOf(of)
  return (
    <span className={amount === 0 ? 'text-muted' : 'font-semibold text-red'}>
      <Money amount={amount} currency={of.currency} />
    </span>
  )
}

/** Providers send a day, as midnight in UTC. In another time zone it would be the day before. */
export function ArrivalDay({ of: { arrives_at } }: { of: Settlement }) {
  return <Day on={arrives_at.slice(0, 10)} />
}

function AtBank({ of: { bank_entry_id } }: { of: Settlement }) {
  return bank_entry_id === null ? (
    <span className="text-muted">Not seen</span>
  ) : (
    <span>On a statement</span>
  )
}

function Folded(row: Settlement) {
  const remainder = remainderOf(row)
  return (
    <>
      <div>
        {providerName(row.provider)}
        {' · arrives '}
        <ArrivalDay of={row} />
      </div>
      <div>{row.bank_entry_id === null ? 'Not seen at the bank' : 'On a bank statement'}</div>
      {remainder !== 0 && (
        <div className="text-red">
          {'Remainder '}
          <Money amount={remainder} currency={row.currency} />
        </div>
      )}
    </>
  )
}
