import { useAccount } from '../../api/account-settings.ts'
import { useUser } from '../../api/use-florin.ts'
import { Failure } from '../../parts/failure.tsx'
import { Invitations } from './invitations.tsx'
import { Members } from './members.tsx'

/** Everyone who can log in to the account. */
export function TeamSection() {
  const { may } = useUser()
  const { data, isLoadingError, error, refetch } = useAccount()
  if (isLoadingError) return <Failure error={error} retry={() => refetch()} />
  return (
    data && (
      <>
        <Members key={data.id} of={data} />
        {may.includes('manage_invitations') && <Invitations />}
      </>
    )
  )
}
