import { CopyButton } from './copy-button.tsx'

interface ShortIdProps {
  id: string
  copy?: boolean
  /** Omits the prefix, in a column where all ids have the same one. */
  brief?: boolean
}

/** A shortened id. Hovering and copying give the full id. */
export function ShortId({ id, copy = false, brief = false }: ShortIdProps) {
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap">
      <span title={id} className="font-mono text-xs text-muted">
        {brief ? shortenId(id).replace(/^.*_/, '') : shortenId(id)}
      </span>
      {copy && <CopyButton text={id} label={`Copy ${id}`} />}
    </span>
  )
}

export function shortenId(id: string): string {
  const at = id.lastIndexOf('_') + 1
  return id.length - at > 12 ? `${id.slice(0, at)}…${id.slice(-6)}` : id
}
