import { Dialog } from '@base-ui/react/dialog'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { Button, type Tone } from './button.tsx'
import { backdropClass, popupClass } from './confirm-dialog.tsx'

interface FormDialogProps {
  /** What opens it. */
  trigger: string
  tone?: Tone
  title: string
  /** The fields. */
  children: ReactNode
  /** What the button does, in its own words. */
  action: string
  onSubmit: (form: FormData) => Promise<unknown>
}

/** Asks for a few fields. Stays open with the reason when they are refused. */
export function FormDialog(props: FormDialogProps) {
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const show = (shown: boolean) => {
    setOpen(shown)
    setFault(undefined)
  }
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setBusy(true)
    try {
      await props.onSubmit(form)
      show(false)
    } catch (error) {
      setFault((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog.Root open={open} onOpenChange={show}>
      <Dialog.Trigger render={<Button tone={props.tone ?? 'plain'} />}>
        {props.trigger}
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup className={popupClass}>
          <Dialog.Title className="mb-4 text-lg font-semibold">{props.title}</Dialog.Title>
          <form onSubmit={submit} className="flex flex-col gap-4">
            {props.children}
            {fault && (
              <p role="alert" className="rounded-lg bg-red-soft p-3 text-red">
                {fault}
              </p>
            )}
            <div className="mt-2 flex flex-wrap justify-end gap-2">
              <Dialog.Close render={<Button />}>Leave</Dialog.Close>
              <Button tone="primary" type="submit" disabled={busy}>
                {busy ? 'Working…' : props.action}
              </Button>
            </div>
          </form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
