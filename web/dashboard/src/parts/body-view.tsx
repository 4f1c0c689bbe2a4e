import { CopyButton } from './copy-button.tsx'
import { JsonView } from './json-view.tsx'

/** An HTTP body: JSON with syntax highlighting, anything else as text. */
export function BodyView({ text, label }: { text: string; label: string }) {
  if (text === '') return <p className="text-muted">Empty body</p>
  const value = parse(text)
  if (value !== undefined) return <JsonView value={value} label={label} />
  return (
    <div className="relative">
      <div className="absolute top-1.5 right-1.5">
        <CopyButton text={text} label="Copy text" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable by keyboard. */}
      <section tabIndex={0} aria-label={label} className={paneClass}>
        <pre className="p-3.5 pr-12 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
          {text}
        </pre>
      </section>
    </div>
  )
}

const paneClass = 'max-h-96 overflow-auto rounded-lg bg-canvas'

function parse(text: string): object | undefined {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
