import { Link, type LinkProps } from '@tanstack/react-router'

export const backClass = `inline-flex items-center font-medium text-brand hover:underline
 pointer-coarse:min-h-11`

/** Leads from a detail page back to its list. */
export function BackLink({ to, children }: { to: NonNullable<LinkProps['to']>; children: string }) {
  return (
    <p className="mb-1">
      <Link to={to} className={backClass}>
        {children}
      </Link>
    </p>
  )
}
