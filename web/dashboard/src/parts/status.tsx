// Status badges. The color is never the only cue: the text is always shown.

const looks: Record<string, string> = {
  succeeded: 'bg-brand-soft text-brand',
  delivered: 'bg-brand-soft text-brand',
  active: 'bg-brand-soft text-brand',
  sent: 'bg-brand-soft text-brand',
  queued: 'bg-blue-soft text-blue',
  enabled: 'bg-brand-soft text-brand',
  pending: 'bg-blue-soft text-blue',
  pending_approval: 'bg-amber-soft text-amber',
  approved: 'bg-blue-soft text-blue',
  paid: 'bg-brand-soft text-brand',
  needs_response: 'bg-amber-soft text-amber',
  under_review: 'bg-blue-soft text-blue',
  open: 'bg-amber-soft text-amber',
  new: 'bg-blue-soft text-blue',
  settling: 'bg-blue-soft text-blue',
  settled: 'bg-brand-soft text-brand',
  won: 'bg-brand-soft text-brand',
  lost: 'bg-red-soft text-red',
  in_transit: 'bg-blue-soft text-blue',
  completed: 'bg-brand-soft text-brand',
  returned: 'bg-amber-soft text-amber',
  retrying: 'bg-amber-soft text-amber',
  paused: 'bg-amber-soft text-amber',
  suspended: 'bg-amber-soft text-amber',
  suppressed: 'bg-amber-soft text-amber',
  failed: 'bg-red-soft text-red',
  canceled: 'border border-line bg-canvas text-muted',
}

/** `label` replaces the status name, such as "Failing" for an enabled endpoint. */
export function Status({ of, label }: { of: string; label?: string | undefined }) {
  const look = looks[of] ?? looks.canceled
  return (
    <span
      className={`inline-flex rounded-xl px-2.5 py-0.5 text-xs font-semibold tracking-normal
 md:whitespace-nowrap ${look}`}
    >
      {label ?? humanize(of)}
    </span>
  )
}

interface Refundable {
  status: string
  amount: number
  refunded_amount?: number | undefined
}

/** The status of a payment, or "Refunded" / "Partially refunded". */
export function PaidStatus({ of: { status, amount, refunded_amount = 0 } }: { of: Refundable }) {
  if (status !== 'succeeded' || refunded_amount === 0) return <Status of={status} />
  return <Status of={refunded_amount < amount ? 'partially_refunded' : 'refunded'} />
}

/** "partially_refunded" becomes "Partially refunded". */
/** The name of a role. */
export function roleName(role: string): string {
  return role === 'viewer' ? 'Read-only' : humanize(role)
}

export function humanize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).replaceAll('_', ' ')
}
