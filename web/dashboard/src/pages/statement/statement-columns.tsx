import { Link } from '@tanstack/react-router'
import type { StatementLine } from '../../api/api-types.ts'
import type { Column } from '../../parts/data-list.tsx'
import { Money } from '../../parts/money.tsx'
import { ShortId } from '../../parts/short-id.tsx'
import { humanize } from '../../parts/status.tsx'
import { TruncatedText } from '../../parts/truncated-text.tsx'
import { When } from '../../parts/when.tsx'
import { refundedBy } from '../transactions/refunded-by.ts'

/** The id is the line's sequence number, which is its cursor. */
export type ListedLine = StatementLine & { id: string }

export function statementColumns(currency: string): Column<ListedLine>[] {
  return [
    { name: 'Activity', cell: (row) => describeLine(row) },
    { name: 'Reference', from: 'md', cell: (row) => <Reference of={row} /> },
    { name: 'Transaction', from: 'xl', cell: (row) => <ShortId id={row.transaction_id} copy /> },
    {
      name: 'Time',
      time: true,
      from: 'md',
      cell: (row) => (
        <span className="text-muted">
          <When at={row.created_at} short />
        </span>
      ),
    },
    {
      name: 'Amount',
      align: 'right',
      cell: (row) => (
        <>
          <Money amount={row.amount} currency={currency} />
          {/* Phones show the balance below: two long amounts do not fit side by side. */}
          <div className="mt-0.5 text-xs whitespace-nowrap text-muted sm:hidden">
            Balance <Money amount={row.available_after} currency={currency} />
          </div>
        </>
      ),
    },
    {
      name: 'Balance',
      align: 'right',
      from: 'sm',
      cell: (row) => (
        <span className="font-medium">
          <Money amount={row.available_after} currency={currency} />
        </span>
      ),
    },
  ]
}

/** A line of a transfer or a payout has its id. */
export function pageOfLine(id: string): '/transfers/$id' | '/payouts/$id' | '/transactions/$id' {
  if (id.startsWith('po_')) return '/payouts/$id'
  return id.startsWith('tr_') ? '/transfers/$id' : '/transactions/$id'
}

/** A refund is debited at once and credited back if it fails or is canceled. */
export function describeLine({ type, amount, status }: StatementLine): string {
  switch (type) {
    case 'refund':
      return amount > 0 ? `Refund ${status}, returned` : 'Refund'
    case 'fee':
      return 'Processing fee'
    case 'dispute':
      return amount > 0 ? 'Dispute won, returned' : 'Disputed payment'
    case 'transfer':
      return describeTransferLine(amount, status)
    case 'payout':
      return amount > 0 ? `Payout ${payoutEnd[status]}` : 'Payout'
    case 'overdraw':
      return 'Shortfall, now owed'
    case 'repay':
      return 'Owed amount repaid'
    default:
      return humanize(type)
  }
}

/** A statement has the statuses of transactions. */
const payoutEnd: Record<StatementLine['status'], string> = {
  pending: 'returned',
  succeeded: 'returned',
  failed: 'failed or returned',
  canceled: 'canceled',
}

function describeTransferLine(amount: number, status: StatementLine['status']): string {
  if (amount < 0) return status === 'pending' ? 'Transfer in transit' : 'Transfer out'
  return status === 'failed' ? 'Transfer returned' : 'Transfer in'
}

function Reference({ of: line }: { of: StatementLine }) {
  const refunded = refundedBy(line)
  if (refunded !== undefined) {
    return (
      <Link to="/transactions/$id" params={{ id: refunded }} className="hover:underline">
        <ShortId id={refunded} />
      </Link>
    )
  }
  return <TruncatedText text={line.reference} />
}

export function FoldedLine({ line }: { line: StatementLine }) {
  const refunded = refundedBy(line)
  return (
    <>
      <When at={line.created_at} short />
      {(refunded ?? line.reference) && ' · '}
      {refunded ? <ShortId id={refunded} /> : line.reference}
    </>
  )
}
