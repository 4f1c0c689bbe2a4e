import type { PaymentLink } from '../../api/api-types.ts'
import { Money } from '../../parts/money.tsx'
import { Status } from '../../parts/status.tsx'

export function LinkAmount({ of: link }: { of: PaymentLink }) {
  const { amount, amount_min, amount_max, currency } = link
  if (amount !== null) return <Money amount={amount} currency={currency} />
  return (
    <span className="whitespace-nowrap">
      <Money amount={amount_min ?? 0} currency={currency} /> –{' '}
      <Money amount={amount_max ?? 0} currency={currency} />
    </span>
  )
}

/** "3 of 20", and how many payments are pending. */
export function usesText({ uses, reserved, max_uses }: PaymentLink): string {
  const paid = max_uses === null ? `${uses} paid` : `${uses} of ${max_uses} paid`
  return reserved === 0 ? paid : `${paid}, ${reserved} pending`
}

export function LinkStatus({ of: link }: { of: PaymentLink }) {
  const { active, uses, max_uses } = link
  if (!active) return <Status of="disabled" label="Inactive" />
  if (max_uses !== null && uses >= max_uses) return <Status of="succeeded" label="Used up" />
  if (isExpired(link)) return <Status of="canceled" label="Expired" />
  return <Status of="active" />
}

function isExpired({ expires_at }: PaymentLink): boolean {
  return expires_at !== null && Date.parse(expires_at) <= Date.now()
}
