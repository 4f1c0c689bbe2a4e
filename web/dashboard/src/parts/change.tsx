import { useAccountSettings } from '../api/account-settings.ts'

interface ChangeProps {
  now: number | null
  before: number | null
  /** For percentages: shows the difference in percentage points. */
  points?: boolean
  /** For values where an increase is not an improvement. */
  neutral?: boolean
}

/** The change from the previous period. Increases are green; decreases are not highlighted. */
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
  return before === 0 ? undefined : (now - before) / before
}
