import { Link } from '@tanstack/react-router'
import { useAccountId, useUser } from '../../api/use-florin.ts'
import { buttonClass } from '../../parts/button.tsx'

/** Opens the form of a new payment request, from an empty list or from Home. */
export function RequestPaymentLink() {
  const has_account = useAccountId() !== undefined
  const may = useUser().may.includes('create_payment')
  if (!may || !has_account) return null
  return (
    <Link to="/payments" search={{ create: 'yes' } as never} className={buttonClass('primary')}>
      Request a payment
    </Link>
  )
}
