import { Dialog } from '@base-ui/react/dialog'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { Button } from './button.tsx'
import { backdropClass, popupClass } from './confirm-dialog.tsx'

interface FormDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => unknown
  title: string
  /** What will happen. */
  text: string
  /** What the button does, in its own words. */
  action: string
  /** What is typed cannot be sent yet: the fields tell why, and nothing is asked. */
  isReady: () => boolean
  onSubmit: () => Promise<unknown>
  children: ReactNode
}

/** Fields over a page. Stays open, with what was typed, when what it asks for is refused. */
export function FormDialog(props: FormDialogProps) {
  const { open, onOpenChange, title, text, action, isReady, onSubmit, children } = props
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setFault(undefined)
    if (!isReady()) return void focusFirstFault(event.currentTarget)
    setBusy(true)
    try {
      await onSubmit()
    } catch (error) {
      setFault((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup className={`${popupClass} max-h-[calc(100dvh-32px)] overflow-y-auto`}>
          <Dialog.Title className="text-lg font-semibold">{title}</Dialog.Title>
          <Dialog.Description className="mt-1 text-muted">{text}</Dialog.Description>
          <form noValidate onSubmit={submit} className="mt-5 flex flex-col gap-4">
            {children}
            {fault && (
              <p role="alert" className="rounded-lg bg-red-soft p-3 text-red">
                {fault}
              </p>
            )}
            <div className="mt-2 flex flex-wrap justify-end gap-2">
              <Dialog.Close render={<Button />}>Close</Dialog.Close>
              <Button tone="primary" type="submit" disabled={busy}>
                {busy ? 'Working…' : action}
              </Button>
            </div>
          </form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** After the faults have been drawn. */
function focusFirstFault(form: HTMLFormElement): void {
  setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}
