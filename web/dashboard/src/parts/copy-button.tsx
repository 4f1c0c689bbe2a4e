import { useState } from 'react'
import { Icon } from './icon.tsx'

/** Copies text, and says that it did. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
  }
  return (
    <button
      type="button"
      onClick={copy}
      aria-label={copied ? 'Copied' : label}
      title={copied ? 'Copied' : label}
      className="relative z-10 inline-grid size-7 shrink-0 place-items-center rounded-md text-muted
 hover:bg-canvas hover:text-ink pointer-coarse:size-11"
    >
      <Icon name={copied ? 'check' : 'copy'} />
      <span role="status" className="sr-only">
        {copied && 'Copied'}
      </span>
    </button>
  )
}
