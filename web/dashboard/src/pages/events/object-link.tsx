import { Link } from '@tanstack/react-router'
import { usePageOfId } from '../../frame/use-navigation.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { ShortId, shortenId } from '../../parts/short-id.tsx'

/** An id that links to its object's page, if the user may open it. */
export function ObjectLink({ id }: { id: string }) {
  const page = usePageOfId()(id)
  if (page === undefined) return <ShortId id={id} copy />
  return (
    <span className="inline-flex items-center gap-1">
      <Link to={page as never} params={{ id } as never} className="text-brand underline">
        <span title={id} className="font-mono text-xs">
          {shortenId(id)}
        </span>
      </Link>
      <CopyButton text={id} label={`Copy ${id}`} />
    </span>
  )
}
