import { useAccountSettings } from '../api/account-settings.ts'

interface ChangeProps {
  now: number | null
  before: number | null
  /** Of shares: the difference in percentage points. */
  points?: boolean
  /** Where more is not better. */
  neutral?: boolean
}

/** How much more or less it is than before. Up is green; down is said, and no alarm. */
export function Change({ now, before, points = false, neutral = false }: ChangeProps) {
  const { language } = useAccountSettings()
  const change = changeOf(now, before, points)
  if (change === undefined) return null
  const text = new Intl.NumberFormat([language, 'en'], {
    style: points ? 'decimal' : 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: 1,
  }).format(change)
  return (
    <span
      className={`figures text-xs font-semibold whitespace-nowrap
 ${change > 0 && !neutral ? 'text-brand' : 'text-muted'}`}
    >
      {text.replace('-', '−')}
      {points && ' pp'}
    </span>
  )
}

function changeOf(now: number | null, before: number | null, points: boolean): number | undefined {
  if (now === null || before === null) return undefined
  if (points) return (now - before) * 100
  // Of nothing there is no share.
  return before === 0 ? undefined : (now - before) / before
}
