// The frame of every page: navigation, search, account switcher, user menu and sandbox banner.

import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, Outlet, useMatches } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useAccountSettings } from '../api/account-settings.ts'
import { sessionQuery, useMode, useUser } from '../api/use-florin.ts'
import { backdropClass } from '../parts/confirm-dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { roleName } from '../parts/status.tsx'
import { AccountSwitcher } from './account-switcher.tsx'
import { ForbiddenPage, LoadingPage } from './fallback-pages.tsx'
import { requiredPermission } from './navigation.ts'
import { SearchDialog } from './search-dialog.tsx'
import { Brand, FrameName, Navigation } from './sidebar.tsx'

// Loaded after the page, to keep it out of the first load.
const LiveUpdates = lazy(() =>
  import('../api/live.ts').then(({ LiveUpdates }) => ({ default: LiveUpdates })),
)

const UserMenu = lazy(() =>
  import('./user-menu.tsx').then(({ UserMenu }) => ({ default: UserMenu })),
)

// Bar, page and footer share their edges: on a wide screen 1600 px, centered.
const sidesClass = 'px-[max(32px,calc(50%-800px))] max-sm:px-4'

export function Shell() {
  const { data } = useQuery(sessionQuery)
  // The session has ended and the router is redirecting to the login page. Until then no page may
  // call useUser.
  if (!data?.user) return <LoadingPage />
  // Another user may log in in another tab. The key resets all page state of the previous user.
  return <Frame key={data.user.id} />
}

function Frame() {
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[232px_minmax(0,1fr)] print:block">
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-lg bg-brand px-4 py-2
 font-semibold
 text-on-brand focus:translate-y-0 print:hidden"
      >
        Skip to content
      </a>
      <aside className="border-r border-line bg-card max-lg:hidden print:hidden">
        <div className="sticky top-0 flex max-h-dvh flex-col gap-5 overflow-y-auto px-3 py-5">
          <div className="px-2.5">
            <Brand />
          </div>
          <Navigation />
        </div>
      </aside>
      <div className="flex min-w-0 flex-col">
        {/* display: contents, so the bar and its line stick to the top while the text scrolls. */}
        <header className="contents print:hidden">
          <SandboxBanner />
          <FactorNotice />
          <TopBar />
        </header>
        <main
          id="main"
          tabIndex={-1}
          className={`${sidesClass} w-full flex-1 pt-7 pb-10 outline-none max-sm:pt-5 print:p-0`}
        >
          <AllowedPage />
        </main>
        <TimeZoneLine />
      </div>
      <Suspense fallback={null}>
        <LiveUpdates />
      </Suspense>
    </div>
  )
}

/** The page, unless the user lacks the permission that it needs. */
function AllowedPage() {
  const { may, role, factor_due_at } = useUser()
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath })
  // Every other page would show errors only.
  const is_due = factor_due_at !== null && Date.parse(factor_due_at) <= Date.now()
  if (is_due && path !== security_path) return <Navigate to={security_path} />
  const need = requiredPermission(path ?? '/')
  if (need !== undefined && !may.includes(need))
    return <ForbiddenPage role={roleName(role).toLowerCase()} />
  return <Outlet />
}

const security_path = '/settings/security'

/** In live mode an admin needs a second factor some days after they were created. */
function FactorNotice() {
  const { factor_due_at } = useUser()
  if (factor_due_at === null) return null
  const is_due = Date.parse(factor_due_at) <= Date.now()
  return (
    <p className="bg-amber-soft px-4 py-1.5 text-center text-xs font-semibold text-amber">
      {is_due ? 'Add a second factor to continue. ' : 'Admins need a second factor soon. '}
      <Link to={security_path} className="underline">
        Security settings
      </Link>
    </p>
  )
}

/** Detail pages and phones have no column headers with the time zone. */
function TimeZoneLine() {
  const { timezone } = useAccountSettings()
  return (
    <footer className={`${sidesClass} pb-6 text-xs text-muted print:hidden`}>
      Times are in {timezone}.
    </footer>
  )
}

function SandboxBanner() {
  if (useMode() !== 'sandbox') return null
  return (
    <div className="bg-amber-soft px-4 py-1.5 text-center text-xs font-semibold text-amber">
      Sandbox: no real money moves
    </div>
  )
}

function TopBar() {
  const user = useUser()
  const line = useMode() === 'sandbox' ? 'border-t-2 border-t-amber' : ''
  return (
    <div
      className={`${sidesClass} sticky top-0 z-30 flex h-15 items-center gap-3 border-b border-line
 bg-card max-sm:gap-2 ${line}`}
    >
      <Drawer />
      <SearchDialog />
      <div className="ml-auto flex min-w-0 items-center gap-2">
        {user.may.includes('list_accounts') && <AccountSwitcher />}
        <Suspense fallback={<span className="size-9 shrink-0 pointer-coarse:size-11" />}>
          <UserMenu />
        </Suspense>
      </div>
    </div>
  )
}

function Drawer() {
  const [open, setOpen] = useState(false)
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger
        aria-label="Navigation"
        className="-ml-2 grid size-11 shrink-0 place-items-center rounded-lg text-muted lg:hidden"
      >
        <Icon name="menu" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup
          className="fixed inset-y-0 left-0 z-50 flex w-72 max-w-[85vw] flex-col gap-4
 overflow-y-auto
 border-r border-line bg-card p-4"
        >
          <div className="flex items-center justify-between pl-2.5">
            <Dialog.Title className="min-w-0 truncate text-lg font-bold">
              <FrameName />
            </Dialog.Title>
            <Dialog.Close
              aria-label="Close"
              className="grid size-11 place-items-center rounded-lg text-muted"
            >
              <Icon name="close" />
            </Dialog.Close>
          </div>
          <Navigation onChoose={() => setOpen(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
