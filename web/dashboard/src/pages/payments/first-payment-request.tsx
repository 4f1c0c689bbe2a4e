import { useAccountSettings } from '../../api/account-settings.ts'
import { useAccountId } from '../../api/use-florin.ts'
import { CurlLine } from '../../parts/curl-line.tsx'

/** The line that fills what is empty without a payment request: it works as it stands. */
export function FirstPaymentRequest() {
  const account_id = useAccountId() ?? 'acct_…'
  const { currency = 'USD' } = useAccountSettings()
  const asked = { customer_email: 'ann@example.com', reference: 'Invoice 2026-114' }
  return <CurlLine path="/v1/payments" body={{ account_id, amount: 7500, currency, ...asked }} />
}
