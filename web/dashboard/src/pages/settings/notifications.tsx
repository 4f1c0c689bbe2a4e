import type { Notifications } from '../../../../../client/src/florin.ts'
import { useApiQuery, useFlorin, useRefresh } from '../../api/use-florin.ts'
import { Card } from '../../parts/card.tsx'
import { Checkbox } from '../../parts/checkbox.tsx'
import { Failure } from '../../parts/failure.tsx'
import { reasonOf } from '../../parts/reason-of.ts'
import { showToast } from '../../parts/toast.tsx'

type NoticeName = keyof Notifications

const notices: [name: NoticeName, title: string, text: string][] = [
  ['payment_received', 'You’ve been paid', 'At once, then at most one more email per hour.'],
  ['payment_failed', 'Payment failed', 'A payment request failed, for example after declines.'],
  ['dispute', 'Disputes', 'A customer disputes a payment, or the bank has decided.'],
  ['new_login', 'New login', 'Someone logs in from an address or device you have not used before.'],
  ['weekly_summary', 'Weekly summary', 'On Mondays at 8:00, if there were payments.'],
]

/** Which emails the user gets. Emails about an account go to its owner. */
export function NotificationsSection() {
  const florin = useFlorin()
  const refresh = useRefresh()
  const query = useApiQuery(['notifications'], (florin, signal) =>
    florin.users.getNotifications({ signal }),
  )
  if (query.isLoadingError) return <Failure error={query.error} retry={() => query.refetch()} />
  const turn = async (name: NoticeName, is_on: boolean) => {
    try {
      await florin.users.updateNotifications({ [name]: is_on })
      await refresh()
    } catch (error) {
      showToast(reasonOf(error))
    }
  }
  return (
    <Card title="Emails">
      <p className="mb-3 text-muted">Emails about an account go to its owner.</p>
      <ul className="flex flex-col gap-3">
        {notices.map(([name, title, text]) => (
          <li key={name}>
            <Checkbox
              checked={query.data?.[name] ?? true}
              disabled={query.data === undefined}
              onChange={(is_on) => turn(name, is_on)}
            >
              <span className="block font-medium">{title}</span>
              <span className="block text-xs text-muted">{text}</span>
            </Checkbox>
          </li>
        ))}
      </ul>
    </Card>
  )
}
