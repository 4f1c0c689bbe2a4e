import { Link } from '@tanstack/react-router'
import { usePageOfId } from '../../frame/use-navigation.ts'
import { ShortId } from '../../parts/short-id.tsx'
import { useDisplayName } from './use-display-name.ts'

/** Shows the name or email, or else the short id; links to the page if the user may open it. */
export function NamedLink({ id }: { id: string }) {
  const name = useDisplayName(id)
  const page = usePageOfId()(id)
  const content =
    name === undefined ? (
      <ShortId id={id} />
    ) : (
      <span title={id} className="wrap-anywhere">
        {name}
      </span>
    )
  if (page === undefined) return content
  return (
    <Link
      to={page as '/users/$id'}
      params={{ id }}
      className="text-brand underline decoration-line-strong underline-offset-2
 hover:decoration-brand"
    >
      {content}
    </Link>
  )
}
