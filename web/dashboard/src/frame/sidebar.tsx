import { Link } from '@tanstack/react-router'
import { useAccount } from '../api/account-settings.ts'
import { Icon } from '../parts/icon.tsx'
import { Logo } from './logo.tsx'
import { useSections } from './use-navigation.ts'

/** The navigation, used in the sidebar and, on small screens, in a drawer. */
export function Navigation({ onChoose }: { onChoose?: () => void }) {
  return (
    <nav aria-label="Main" className="flex flex-col gap-0.5">
      {useSections().map((section) => (
        <div key={section.name ?? 'Main'} className="flex flex-col gap-0.5">
          {section.name && (
            <h2 className="mx-2.5 mt-4 mb-1 text-xs font-semibold text-muted">{section.name}</h2>
          )}
          {section.entries.map((entry) => (
            <Link
              key={entry.to}
              to={entry.to as '/'}
              {...(onChoose ? { onClick: onChoose } : {})}
              activeOptions={{ exact: entry.to === '/', includeSearch: false }}
              className="flex h-9 items-center gap-2.5 rounded-lg px-2.5 font-medium text-muted
 hover:bg-canvas hover:text-ink data-[status=active]:bg-brand-soft
 data-[status=active]:font-semibold
 data-[status=active]:text-brand pointer-coarse:h-11"
            >
              <Icon name={entry.icon} />
              {entry.name}
            </Link>
          ))}
        </div>
      ))}
      <a
        href="/docs"
        className="flex h-9 items-center gap-2.5 rounded-lg px-2.5 font-medium text-muted
 hover:bg-canvas hover:text-ink pointer-coarse:h-11"
      >
        <Icon name="help" />
        Docs
      </a>
    </nav>
  )
}

export function Brand() {
  return (
    <Link
      to="/"
      title="Home"
      className="flex items-center gap-2.5 rounded-lg text-lg font-bold tracking-tight"
    >
      <Logo />
      <span className="min-w-0 truncate">
        <FrameName />
      </span>
    </Link>
  )
}

/** The name of the business, if one is selected. */
export function FrameName() {
  const { data } = useAccount()
  return data?.name ?? 'Florin'
}
