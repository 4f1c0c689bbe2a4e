interface CutProps {
  text: string | null
  /** What hovering tells, where it is more than the text. */
  title?: string
  look?: string
}

/** A customer's email. It is what a row is looked for by, so it gives way last. */
export function EmailAddress({ of }: { of: string }) {
  return (
    <span className="block max-w-80 min-w-50 truncate max-xl:max-w-50 max-xl:min-w-40" title={of}>
      {of}
    </span>
  )
}

/**
 * A text on one line that gives way: cut where its column ends, whole on hover. It may break
 * anywhere, so a table can make its column as narrow as it must; what is merely truncated asks for
 * its whole width, and pushes the table out of its card.
 */
export function TruncatedText({ text, title, look = '' }: CutProps) {
  if (text === null) return <span className="text-muted">—</span>
  return (
    <span className={`line-clamp-1 max-w-96 min-w-16 break-all ${look}`} title={title ?? text}>
      {text}
    </span>
  )
}
