import { Dialog } from '@base-ui/react/dialog'
import { useUser } from '../api/use-florin.ts'
import { account_switch } from './account-switch.ts'
import { buttonClass } from './button.tsx'
import { EmptyState } from './data-list.tsx'
import { PageHeader } from './page-header.tsx'

/** Shown to admins who have no account selected, on a page that needs one. */
export function ChooseAccount({ title, what }: { title: string; what: string }) {
  const { may } = useUser()
  return (
    <>
      <PageHeader title={title} />
      <div className="rounded-xl border border-line bg-card">
        <EmptyState
          title="Choose an account"
          text={`You are viewing all accounts. ${what} belong to a single account.`}
          action={
            may.includes('list_accounts') && (
              <Dialog.Trigger handle={account_switch} className={buttonClass('primary')}>
                Choose account
              </Dialog.Trigger>
            )
          }
        />
      </div>
    </>
  )
}
