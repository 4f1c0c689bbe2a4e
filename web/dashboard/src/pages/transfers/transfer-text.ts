// How a transfer looks from the account whose view it is.

import type { Transfer, TransferFee } from '../../api/api-types.ts'

const texts: Record<Transfer['direction'], string> = {
  outgoing: 'Sent',
  incoming: 'Received',
  fee: 'Fee received',
}

export function describeTransfer({ direction, status }: Transfer): string {
  return status === 'returned' ? 'Sent, returned' : texts[direction]
}

/** What the account has sent or received. */
export function amountOf({ direction, amount, fee_amount }: Transfer): number {
  if (direction === 'outgoing') return amount
  return direction === 'fee' ? fee_amount : amount - fee_amount
}

/** The account at the other end. A fee comes from the source. */
export function otherAccount({ direction, from_account_id, to_account_id }: Transfer): string {
  return direction === 'outgoing' ? to_account_id : from_account_id
}

const reasons: Record<NonNullable<Transfer['return_reason']>, string> = {
  account_closed: 'the receiving account is closed',
  account_not_active: 'the receiving account is not active',
  currency_changed: 'the receiving account has another currency',
  balance_limit: 'the receiving balance has reached its maximum',
}

/** Why money was returned; undefined if none was. */
export function returnText({ status, return_reason }: Transfer): string | undefined {
  if (return_reason === null) return undefined
  const what = status === 'returned' ? 'Everything' : 'The fee'
  return `${what} was returned: ${reasons[return_reason]}.`
}

/** "1.5 % + $0.30"; empty if the fee is zero. */
export function feeText(
  { basis_points, fixed_amount }: TransferFee,
  currency: string,
  money: (amount: number, currency: string) => string,
): string {
  const parts = [
    basis_points > 0 && `${basis_points / 100} %`,
    fixed_amount > 0 && money(fixed_amount, currency),
  ]
  return parts.filter(Boolean).join(' + ')
}
