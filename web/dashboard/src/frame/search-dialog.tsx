// Search, opened by / or ⌘K: finds customers, payments, other objects, pages and actions.

import { Dialog } from '@base-ui/react/dialog'
import { lazy, Suspense, useEffect, useState } from 'react'
import { backdropClass } from '../parts/confirm-dialog.tsx'
import { Icon } from '../parts/icon.tsx'

// Loaded with the first search, to keep it out of the first load.
const SearchPalette = lazy(() =>
  import('./search-palette.tsx').then(({ SearchPalette }) => ({ default: SearchPalette })),
)

export function SearchDialog() {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const command = (event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k'
      if (!command && (event.key !== '/' || isTyping(event.target))) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger
        className="@container flex h-9 max-w-[420px] min-w-11 flex-1 items-center gap-2 rounded-lg
 border border-line bg-canvas px-3 text-left text-muted pointer-coarse:h-11
 hover:border-line-strong"
      >
        <Icon name="search" />
        {/* Next to a long account name on a phone only the icon is shown. */}
        <span className="truncate @max-[80px]:sr-only">
          Search<span className="max-sm:hidden"> customers, payments, pages</span>
        </span>
        <kbd
          className="ml-auto rounded border border-line bg-card px-1.5 font-sans text-xs
 max-sm:hidden"
        >
          /
        </kbd>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup
          className="fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-32px)] max-w-xl -translate-x-1/2
 overflow-hidden rounded-2xl border border-line bg-card shadow-raised max-sm:top-4"
        >
          <Dialog.Title className="sr-only">Search</Dialog.Title>
          <Suspense fallback={<p className="px-4 py-6 text-muted">Loading…</p>}>
            <SearchPalette close={() => setOpen(false)} />
          </Suspense>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
  )
}
