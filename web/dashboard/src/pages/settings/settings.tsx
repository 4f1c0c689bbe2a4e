import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useAccountId, useUser } from '../../api/use-florin.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { settings_sections } from './settings-sections.ts'

/** The frame of all sections: their navigation is a column on wide screens, else a row. */
export function SettingsLayout() {
  return (
    <>
      <PageHeader title="Settings" />
      <div
        className="grid grid-cols-1 items-start gap-x-8 gap-y-5
 lg:grid-cols-[168px_minmax(0,1fr)]"
      >
        <SectionLinks />
        <div className="flex min-w-0 flex-col gap-4">
          <Outlet />
        </div>
      </div>
    </>
  )
}

function SectionLinks() {
  const has_account = useAccountId() !== undefined
  const { may } = useUser()
  const links = useRef<HTMLElement>(null)
  const path = useLocation({ select: ({ pathname }) => pathname })
  // On a phone the row is wider than the screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path decides which link is active.
  useEffect(() => {
    const active = links.current?.querySelector('[data-status=active]')
    active?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [path])
  const shown = settings_sections.filter(
    ({ of, needs }) =>
      (of === 'user' || has_account) && (needs === undefined || may.includes(needs)),
  )
  return (
    <nav
      ref={links}
      aria-label="Settings"
      className="flex gap-0.5 overflow-x-auto lg:sticky lg:top-20 lg:flex-col"
    >
      {shown.map(({ name, to }) => (
        <Link
          key={to}
          to={to as '/settings'}
          activeOptions={{ exact: true, includeSearch: false }}
          className="flex h-9 shrink-0 items-center rounded-lg px-3 font-medium text-muted
 -outline-offset-2 hover:text-ink data-[status=active]:bg-brand-soft
 data-[status=active]:font-semibold data-[status=active]:text-brand pointer-coarse:h-11"
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}
