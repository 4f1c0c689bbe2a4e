import { Icon } from './icon.tsx'
import { useCopy } from './use-copy.tsx'

/** An icon button that copies text and confirms it. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const { copy, copied, by_hand } = useCopy(text)
  return (
    <>
      <button
        type="button"
        onClick={copy}
        aria-label={copied ? 'Copied' : label}
        title={copied ? 'Copied' : label}
        className="inline-grid size-7 shrink-0 place-items-center rounded-md
 text-muted hover:bg-canvas hover:text-ink pointer-coarse:size-11"
      >
        <Icon name={copied ? 'check' : 'copy'} />
        <span role="status" className="sr-only">
          {copied && 'Copied'}
        </span>
      </button>
      {by_hand}
    </>
  )
}
