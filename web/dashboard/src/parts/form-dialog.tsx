import { Dialog } from '@base-ui/react/dialog'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button, type Tone } from './button.tsx'
import { backdropClass } from './confirm-dialog.tsx'

interface FormDialogProps {
  /** What opens it. */
  trigger: string
  tone?: Tone
  title: string
  children: ReactNode
  /** What the button does, in its own words. */
  action: string
  disabled?: boolean
  /** What it gives back is shown in the form's place, such as a secret that is shown once. */
  onSubmit: () => Promise<ReactNode>
  /** For a form that begins anew each time. */
  onOpen?: () => void
}

/** Asks for what a new thing needs. Stays open with the reason when it is refused. */
export function FormDialog(props: FormDialogProps) {
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const [made, setMade] = useState<ReactNode>()
  const show = (shown: boolean) => {
    if (shown) props.onOpen?.()
    setOpen(shown)
    setFault(undefined)
    setMade(undefined)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFault(undefined)
    try {
      const answer = await props.onSubmit()
      if (answer) setMade(answer)
      else show(false)
    } catch (error) {
      setFault((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    // A press beside it must not throw away what was typed, or a secret that is shown once.
    <Dialog.Root open={open} onOpenChange={show} disablePointerDismissal>
      <Dialog.Trigger render={<Button tone={props.tone ?? 'plain'} />}>
        {props.trigger}
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup className={tallPopupClass}>
          <Dialog.Title className="text-lg font-semibold">{props.title}</Dialog.Title>
          {made ? (
            <>
              <div className="mt-4">{made}</div>
              <div className="mt-6 flex justify-end">
                <Dialog.Close render={<Button tone="primary" />}>Done</Dialog.Close>
              </div>
            </>
          ) : (
            <form onSubmit={submit} className="mt-4" noValidate>
              {props.children}
              {fault && (
                <p role="alert" className="mt-4 rounded-lg bg-red-soft p-3 text-red">
                  {fault}
                </p>
              )}
              <div className="mt-6 flex flex-wrap justify-end gap-2">
                <Dialog.Close render={<Button />}>Close</Dialog.Close>
                <Button type="submit" tone="primary" disabled={busy || props.disabled === true}>
                  {busy ? 'Working…' : props.action}
                </Button>
              </div>
            </form>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const tallPopupClass = `fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-32px)]
 w-[calc(100vw-32px)] max-w-lg -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-2xl border
 border-line bg-card p-6 shadow-raised max-sm:p-5`
