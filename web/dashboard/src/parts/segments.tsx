import { Link, type LinkProps } from '@tanstack/react-router'

interface Segment {
  name: string
  chosen: boolean
  link: LinkProps
}

/** A segmented control. Each segment is a link with its own URL. */
export function Segments({ label, segments }: { label: string; segments: Segment[] }) {
  return (
    <nav
      aria-label={label}
      className="inline-flex max-w-full overflow-x-auto rounded-lg border border-line bg-card"
    >
      {segments.map(({ name, chosen, link }) => (
        <Link
          key={name}
          {...link}
          replace
          resetScroll={false}
          aria-current={chosen ? 'true' : undefined}
          className={`inline-flex h-9 items-center border-l border-line px-3.5 text-sm font-medium
 whitespace-nowrap max-sm:text-xs -outline-offset-2 first:border-l-0 pointer-coarse:h-11 max-sm:px-2
 ${chosen ? 'bg-brand-soft font-semibold text-brand' : 'text-muted hover:text-ink'}`}
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}
