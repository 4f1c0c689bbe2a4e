import { Link } from '@tanstack/react-router'
import type { Balance } from '../../api/api-types.ts'
import { useApiQuery } from '../../api/use-florin.ts'
import { Card, Figure, Figures } from '../../parts/card.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Money } from '../../parts/money.tsx'
import { Owed } from '../../parts/owed.tsx'

export function Balances() {
  const balance = useApiQuery(['balance'], (florin, signal) =>
    florin.account.getBalance({ signal }),
  )
  if (balance.isError) {
    return (
      <Card className="mb-4">
        <Failure error={balance.error} retry={() => balance.refetch()} />
      </Card>
    )
  }
  const show = (field: 'available' | 'incoming' | 'held', code = false) =>
    balance.data === undefined ? (
      <LoadingSkeleton />
    ) : (
      <Amount of={balance.data} field={field} code={code} />
    )
  return (
    <>
      <Figures label="Balance">
        <Figure label="Available" value={show('available', true)} note="Settled and ready to use" />
        <Figure label="Incoming" value={show('incoming')} note="Pending payments and credits" />
        <Figure label="Reserved" value={show('held')} note="Pending refunds and payouts" />
      </Figures>
      <Owed balance={balance.data} link={statementLink} />
    </>
  )
}

const statementLink = (
  <Link to="/statement" className="font-semibold whitespace-nowrap underline">
    View statement
  </Link>
)

function LoadingSkeleton() {
  return <span className="skeleton inline-block h-6 w-32 align-middle" />
}

interface AmountProps {
  of: Balance
  field: 'available' | 'incoming' | 'held'
  code: boolean
}

function Amount({ of: balance, field, code }: AmountProps) {
  return <Money amount={balance[field]} currency={balance.currency} code={code} />
}
