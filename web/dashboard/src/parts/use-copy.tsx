import { Dialog } from '@base-ui/react/dialog'
import { type ReactNode, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { backdropClass, popupClass } from './confirm-dialog.tsx'

interface CopyState {
  copy: () => Promise<void>
  /** True for a moment after copying. */
  copied: boolean
  /** Must be rendered: a dialog with the selected text, for when the clipboard is unavailable. */
  by_hand: ReactNode
}

/** Copies text. Browsers offer the clipboard on HTTPS pages only, and may deny it there too. */
export function useCopy(text: string, onCopied?: () => void): CopyState {
  const [copied, setCopied] = useState(false)
  const [refused, setRefused] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      return setRefused(true)
    }
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
    onCopied?.()
  }
  const by_hand = refused && <CopyByHand text={text} onClose={() => setRefused(false)} />
  return { copy, copied, by_hand }
}

/** A dialog, because ids and links on the page are shortened. */
function CopyByHand({ text, onClose }: { text: string; onClose: () => void }) {
  const field = useRef<HTMLTextAreaElement>(null)
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup className={popupClass} initialFocus={field}>
          <Dialog.Title className="text-lg font-semibold">Copy manually</Dialog.Title>
          <Dialog.Description className="mt-1 text-muted">
            Your browser allows copy buttons on HTTPS pages only. The text is selected: press Ctrl+C
            or ⌘C, or touch and hold it and choose Copy.
          </Dialog.Description>
          <textarea
            ref={field}
            readOnly
            aria-label="Text to copy"
            rows={4}
            value={text}
            onFocus={(event) => event.target.select()}
            className="mt-4 block w-full rounded-lg border border-line-strong bg-canvas p-3
 font-mono text-xs wrap-anywhere"
          />
          <div className="mt-6 flex justify-end">
            <Dialog.Close render={<Button tone="primary" />}>Close</Dialog.Close>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
