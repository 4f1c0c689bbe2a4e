interface TruncatedTextProps {
  text: string | null
  /** The tooltip, if it is more than the text. */
  title?: string
  look?: string
}

/** A customer's email address. Users scan lists by it, so it is truncated last. */
export function EmailAddress({ of }: { of: string }) {
  return (
    <span className="line-clamp-1 max-w-96 min-w-50 break-all" title={of}>
      {of}
    </span>
  )
}

/**
 * One line of text, truncated at the column's edge, with the full text on hover. Uses line-clamp
 * with break-all: `truncate` would reserve the full width and push the table out of its card.
 */
export function TruncatedText({ text, title, look = '' }: TruncatedTextProps) {
  if (text === null) return <span className="text-muted">—</span>
  return (
    <span className={`line-clamp-1 max-w-96 min-w-16 break-all ${look}`} title={title ?? text}>
      {text}
    </span>
  )
}
