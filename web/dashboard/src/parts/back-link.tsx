import { Link, type LinkProps } from '@tanstack/react-router'

/** From one thing back to the list that it stands in. */
export function BackLink({ to, children }: { to: NonNullable<LinkProps['to']>; children: string }) {
  return (
    <p className="mb-1">
      <Link to={to} className="font-medium text-brand hover:underline">
        {children}
      </Link>
    </p>
  )
}
