import type { Payout } from '../../api/api-types.ts'
import { accountNumberEnd } from '../../parts/account-number.tsx'

type Destination = Payout['destination']

/** "Acme Ltd, DE89 … 3000": enough to recognize the account. */
export function destinationText({ name, iban }: Destination): string {
  return `${name}, ${iban.slice(0, 4)} ${accountNumberEnd(iban)}`
}

/** What happens next, or what happened. */
export function statusText({ status, reason }: Payout): string {
  const because = reason === null ? '' : ` ${reason}`
  switch (status) {
    case 'pending_approval':
      return (
        'Another person must approve it: an admin or a platform user who neither created it nor ' +
        'set its new destination.'
      )
    case 'approved':
      return 'It will be in the next payment file for the bank.'
    case 'in_transit':
      return 'It is in a payment file. The bank statement will show whether it was paid.'
    case 'paid':
      return 'The bank has paid it.'
    case 'failed':
      return `The bank has rejected it. The amount is available again.${because}`
    case 'canceled':
      return 'The amount is available again.'
    case 'returned':
      return `The bank has returned it after it was paid. The amount is available again.${because}`
  }
}
