import { Link } from '@tanstack/react-router'
import { useUser } from '../../api/use-florin.ts'
import { buttonClass } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { ChangePassword } from './change-password.tsx'
import { Factors } from './factors.tsx'
import { LinkedLogins } from './linked-logins.tsx'

/** How the logged-in user logs in. */
export function SecuritySection() {
  const { may } = useUser()
  return (
    <>
      {may.includes('update_user') && (
        <Card title="Password">
          <p className="mb-4 text-muted">
            Changing the password logs you out everywhere else. API keys keep working.
          </p>
          <ChangePassword />
        </Card>
      )}
      {may.includes('manage_own_factors') && <Factors />}
      <LinkedLogins />
      <Card title="Sessions">
        <p className="mb-4 text-muted">The devices where you are logged in.</p>
        <Link to="/sessions" className={buttonClass()}>
          View sessions
        </Link>
      </Card>
    </>
  )
}
