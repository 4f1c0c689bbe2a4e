import { useQuery } from '@tanstack/react-query'
import type { Identity } from '../../api/api-types.ts'
import { sessionQuery, useApiQuery, useFlorin, useRefresh } from '../../api/use-florin.ts'
import { Card } from '../../parts/card.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { showToast } from '../../parts/toast.tsx'
import { When } from '../../parts/when.tsx'

/** The user's logins at an OpenID Connect provider. Hidden if there is neither. */
export function LinkedLogins() {
  const provider = useQuery(sessionQuery).data?.oidc_name ?? null
  const query = useApiQuery(['identities'], (florin, signal) => florin.identities.list({ signal }))
  const identities = query.data?.data ?? []
  if (query.isLoadingError) return <Failure error={query.error} retry={() => query.refetch()} />
  if (provider === null && identities.length === 0) return null
  return (
    <Card title="Linked logins">
      {identities.length === 0 && (
        <p className="text-muted">
          None. To link one, log out and choose “Continue with {provider}”. Your password is needed
          once.
        </p>
      )}
      <ul className="flex flex-col gap-4">
        {identities.map((identity) => (
          <LinkedLogin key={identity.id} identity={identity} />
        ))}
      </ul>
    </Card>
  )
}

function LinkedLogin({ identity }: { identity: Identity }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const unlink = async () => {
    await florin.identities.unlink(identity.id)
    await refresh()
    showToast('Login unlinked', `${identity.email} no longer logs you in.`)
  }
  return (
    <li className="flex flex-wrap items-center justify-between gap-3">
      <div className="min-w-0">
        <p className="wrap-anywhere">{identity.email}</p>
        <p className="text-xs wrap-anywhere text-muted">
          {identity.issuer} · linked <When at={identity.created_at} />
        </p>
      </div>
      <ConfirmDialog
        trigger="Unlink"
        title={`Unlink ${identity.email}?`}
        action="Unlink login"
        onConfirm={unlink}
      >
        You can still log in with your password. Open sessions stay active.
      </ConfirmDialog>
    </li>
  )
}
