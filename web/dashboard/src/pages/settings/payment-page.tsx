import { useAccount } from '../../api/account-settings.ts'
import { useAccountId } from '../../api/use-florin.ts'
import { BankDetailsCard } from '../accounts/bank-details.tsx'
import { ReturnOrigins } from './return-origins.tsx'

/** What customers see while they pay. */
export function PaymentPageSection() {
  const id = useAccountId()
  const { data } = useAccount()
  if (data?.status === 'closed') return <p className="text-muted">This account is closed.</p>
  return (
    <>
      <ReturnOrigins key={id} />
      {id && <BankDetailsCard account_id={id} open={data !== undefined} />}
    </>
  )
}
