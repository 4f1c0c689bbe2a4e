import { CopyButton } from './copy-button.tsx'

const parts = /("(?:\\.|[^"\\])*")(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g

/** JSON with syntax highlighting. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  const text = JSON.stringify(value, null, 2)
  return (
    <div className="relative">
      <div className="absolute top-1.5 right-1.5">
        <CopyButton text={text} label="Copy JSON" />
      </div>
      <section aria-label={label} className="rounded-lg bg-canvas">
        <pre className="p-3.5 pr-12 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
          {color(text)}
        </pre>
      </section>
    </div>
  )
}

function color(text: string) {
  const pieces: (string | React.JSX.Element)[] = []
  let at = 0
  for (const match of text.matchAll(parts)) {
    const [whole, string, colon] = match
    const look =
      colon !== undefined ? 'text-ink' : string !== undefined ? 'text-brand' : 'text-blue'
    pieces.push(text.slice(at, match.index))
    pieces.push(
      <span key={match.index} className={look}>
        {whole}
      </span>,
    )
    at = match.index + whole.length
  }
  return [...pieces, text.slice(at)]
}
