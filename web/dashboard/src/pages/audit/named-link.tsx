import { Link } from '@tanstack/react-router'
import { usePageOfId } from '../../frame/use-navigation.ts'
import { ShortId } from '../../parts/short-id.tsx'
import { useDisplayName } from './use-display-name.ts'

/** By the name or email where it has one, else by its short id; a link where it has a page. */
export function NamedLink({ id }: { id: string }) {
  const name = useDisplayName(id)
  const page = usePageOfId()(id)
  const shown =
    name === undefined ? (
      <ShortId id={id} />
    ) : (
      <span title={id} className="wrap-anywhere">
        {name}
      </span>
    )
  if (page === undefined) return shown
  return (
    <Link
      to={page as '/users/$id'}
      params={{ id }}
      className="text-brand underline decoration-line-strong underline-offset-2
 hover:decoration-brand"
    >
      {shown}
    </Link>
  )
}
