import { useAccountSettings } from '../../api/account-settings.ts'
import { useAccountId, useUser } from '../../api/use-florin.ts'
import { CurlLine } from '../../parts/curl-line.tsx'
import { RequestPaymentLink } from '../payments/request-payment-link.tsx'

/** For empty lists: a button that requests a payment, and a curl command that works as is. */
export function FirstPayment() {
  const account_id = useAccountId() ?? 'acct_…'
  const { currency = 'USD' } = useAccountSettings()
  const { may } = useUser()
  const body = {
    account_id,
    amount: 7500,
    currency,
    type: 'payment',
    reference: 'Invoice 2026-114',
  }
  if (!may.includes('create_transaction')) return null
  return (
    <>
      <RequestPaymentLink />
      <CurlLine path="/v1/transactions" body={body} />
    </>
  )
}
