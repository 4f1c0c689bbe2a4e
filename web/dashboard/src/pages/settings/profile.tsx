import { useUser } from '../../api/use-florin.ts'
import { Card, Facts } from '../../parts/card.tsx'
import { humanize } from '../../parts/status.tsx'
import { RenameUser } from '../users/user-actions.tsx'

/** The logged-in user, independent of the selected account. */
export function ProfileSection() {
  const { id, email, name, role, may } = useUser()
  return (
    <Card title="Your profile">
      <Facts
        facts={[
          [
            'Email',
            <span key="email" className="wrap-anywhere">
              {email}
            </span>,
          ],
          ['Name', name ?? '—'],
          ['Role', humanize(role)],
        ]}
      />
      {may.includes('update_user') && (
        <div className="mt-4">
          <RenameUser user={{ id, name }} />
        </div>
      )}
    </Card>
  )
}
