import type { ReactNode } from 'react'
import type { Balance } from '../api/api-types.ts'
import { Money } from './money.tsx'

interface OwedProps {
  /** Undefined while loading. */
  balance: Balance | undefined
  /** Where to see its causes. */
  link?: ReactNode
}

/** The debt of an account, which is rare: without one, nothing is shown. */
export function Owed({ balance, link }: OwedProps) {
  if (balance === undefined || balance.owed === 0) return null
  return (
    <section
      aria-label="Owed"
      className="mb-4 flex flex-wrap items-baseline gap-x-6 gap-y-1 rounded-xl bg-amber-soft p-4
 text-amber sm:px-5"
    >
      <p className="text-base font-semibold">
        Owed: <Money amount={balance.owed} currency={balance.currency} />
      </p>
      <p className="min-w-0 flex-1 basis-96">
        Fees, disputes or refunds exceeded the available balance. New money repays this first.{' '}
        {link}
      </p>
    </section>
  )
}
