import { Link, type LinkProps } from '@tanstack/react-router'
import { shortenId } from './short-id.tsx'

/** A shortened id that links to its page. */
export function IdLink({ id, to }: { id: string; to: LinkProps['to'] }) {
  return (
    <Link
      to={to as string}
      params={{ id } as never}
      title={id}
      className="font-mono text-xs whitespace-nowrap text-brand underline"
    >
      {shortenId(id)}
    </Link>
  )
}
