import { Dialog } from '@base-ui/react/dialog'
import { isValidElement, type ReactNode, type SubmitEvent, useState } from 'react'
import { Button, type Tone } from './button.tsx'
import { backdropClass, tallPopupClass } from './confirm-dialog.tsx'
import { reasonOf } from './reason-of.ts'

interface FormDialogProps {
  /** What opens it; without one, `open` says whether it is, and the address may hold that. */
  trigger?: string
  tone?: Tone
  open?: boolean
  onOpenChange?: (open: boolean) => unknown
  /** For a form that begins anew each time. */
  onOpen?: () => void
  title: string
  /** What will happen. */
  text?: string
  children: ReactNode
  /** What the button does, in its own words. */
  action: string
  disabled?: boolean
  /** What is typed cannot be sent yet: the fields tell why, and nothing is asked. */
  isReady?: () => boolean
  /** The browser itself asks for what is missing. */
  native?: boolean
  /** True where a field tells the refusal itself; then it is not told once more below. */
  showErrorAtField?: (error: Error) => boolean
  /** An element that it gives back is shown in the form's place, such as a secret shown once. */
  onSubmit: (form: FormData) => Promise<unknown>
}

/** Fields over a page. Stays open, with what was typed and the reason, when it is refused. */
export function FormDialog(props: FormDialogProps) {
  const [is_open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const [made, setMade] = useState<ReactNode>()
  const show = (shown: boolean) => {
    if (shown) props.onOpen?.()
    setFault(undefined)
    setMade(undefined)
    setOpen(shown)
    props.onOpenChange?.(shown)
  }
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    setFault(undefined)
    if (props.isReady?.() === false) return void focusFirstFault(form)
    setBusy(true)
    try {
      const response = await props.onSubmit(new FormData(form))
      if (isValidElement(response)) setMade(response)
      else if (props.open === undefined) show(false)
    } catch (error) {
      if (props.showErrorAtField?.(error as Error)) focusFirstFault(form)
      else setFault(reasonOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    // A press beside it must not throw away what was typed, or a secret that is shown once. Nor may
    // anything close it while it works: what is answered, or why not, would be told to nobody. What
    // was made goes by its own button only, because Escape is pressed without reading.
    <Dialog.Root
      open={props.open ?? is_open}
      onOpenChange={(shown, { reason }) => {
        const kept = made !== undefined && reason !== 'close-press'
        if (!busy && !kept) show(shown)
      }}
      disablePointerDismissal
    >
      {props.trigger !== undefined && (
        <Dialog.Trigger render={<Button tone={props.tone ?? 'plain'} />}>
          {props.trigger}
        </Dialog.Trigger>
      )}
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup className={tallPopupClass}>
          <Dialog.Title className="text-lg font-semibold">{props.title}</Dialog.Title>
          {props.text && (
            <Dialog.Description className="mt-1 text-muted">{props.text}</Dialog.Description>
          )}
          {made ? (
            <Made>{made}</Made>
          ) : (
            <form
              onSubmit={submit}
              className="mt-5 flex flex-col gap-4"
              noValidate={props.native !== true}
            >
              {props.children}
              {fault && (
                <p role="alert" className="rounded-lg bg-red-soft p-3 text-red">
                  {fault}
                </p>
              )}
              <div className="mt-2 flex flex-wrap justify-end gap-2">
                <Dialog.Close render={<Button />} disabled={busy}>
                  Cancel
                </Dialog.Close>
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

function Made({ children }: { children: ReactNode }) {
  return (
    <>
      <div className="mt-4">{children}</div>
      <div className="mt-6 flex justify-end">
        <Dialog.Close render={<Button tone="primary" />}>Done</Dialog.Close>
      </div>
    </>
  )
}

/** After the faults have been drawn. */
function focusFirstFault(form: HTMLFormElement): void {
  setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}
