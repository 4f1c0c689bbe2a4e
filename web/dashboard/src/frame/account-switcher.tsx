import { Dialog } from '@base-ui/react/dialog'
import { lazy, Suspense } from 'react'
import { useAccount } from '../api/account-settings.ts'
import { useAccountId } from '../api/use-florin.ts'
import { account_switch } from '../parts/account-switch.ts'
import { backdropClass } from '../parts/confirm-dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { shortenId } from '../parts/short-id.tsx'

// Loaded when the dialog opens, to keep it out of the first load.
const AccountChoices = lazy(() =>
  import('./account-choices.tsx').then(({ AccountChoices }) => ({ default: AccountChoices })),
)

/** For admins: selects the account to view. The selection is in the URL. */
export function AccountSwitcher() {
  const id = useAccountId()
  const { data: account } = useAccount()
  const name = id === undefined ? 'All accounts' : (account?.name ?? shortenId(id))
  return (
    <Dialog.Root handle={account_switch}>
      <Dialog.Trigger
        aria-label={`Account: ${name}. Switch account`}
        className="flex h-9 max-w-48 min-w-0 items-center gap-1.5 rounded-lg border border-line px-3
 font-medium max-sm:max-w-34 pointer-coarse:h-11 hover:border-line-strong"
      >
        <span className="truncate">{name}</span>
        <Icon name="chevron" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup
          className="fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-32px)] max-w-lg -translate-x-1/2
 overflow-hidden rounded-2xl border border-line bg-card shadow-raised"
        >
          <Dialog.Title className="px-4 pt-4 text-lg font-semibold">Switch account</Dialog.Title>
          <Suspense fallback={<div className="h-64" />}>
            <AccountChoices onChoose={() => account_switch.close()} />
          </Suspense>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
