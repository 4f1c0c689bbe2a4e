import { Dialog } from '@base-ui/react/dialog'
import { isValidElement, type ReactNode, type SubmitEvent, useEffect, useState } from 'react'
import { Button, type Tone } from './button.tsx'
import { backdropClass, tallPopupClass } from './confirm-dialog.tsx'
import { reasonOf } from './reason-of.ts'

interface FormDialogProps {
  /** Label of the button that opens the dialog. Without it, `open` controls the dialog. */
  trigger?: string
  tone?: Tone
  /** With a trigger: opens the dialog when it becomes true, for links to the form. */
  starts_open?: boolean
  open?: boolean
  onOpenChange?: (open: boolean) => unknown
  /** Resets the form each time the dialog opens. */
  onOpen?: () => void
  title: string
  /** For forms with two fields side by side. */
  wide?: boolean
  /** What submitting the form does. */
  text?: string
  children: ReactNode
  /** Label of the submit button, naming the action. */
  action: string
  disabled?: boolean
  /** Returns false to block submission while fields show errors. */
  isReady?: () => boolean
  /** Uses the browser's own form validation. */
  native?: boolean
  /** Returns true if a field shows the error; then it is not repeated below the form. */
  showErrorAtField?: (error: Error) => boolean
  /** A returned element replaces the form, such as a secret that is shown once. */
  onSubmit: (form: FormData) => Promise<unknown>
}

/** A form in a dialog. If submitting fails it stays open with its input and the error. */
export function FormDialog(props: FormDialogProps) {
  const [is_open, setOpen] = useState(props.starts_open === true)
  const [busy, setBusy] = useState(false)
  const [error_text, setErrorText] = useState<string>()
  const [created, setCreated] = useState<ReactNode>()
  const show = (shown: boolean) => {
    if (shown) props.onOpen?.()
    setErrorText(undefined)
    setCreated(undefined)
    setOpen(shown)
    props.onOpenChange?.(shown)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when a link is followed.
  useEffect(() => {
    if (props.starts_open) show(true)
  }, [props.starts_open])
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    setErrorText(undefined)
    if (props.isReady?.() === false) return void focusFirstInvalid(form)
    setBusy(true)
    try {
      const result = await props.onSubmit(new FormData(form))
      if (isValidElement(result)) setCreated(result)
      else if (props.open === undefined) show(false)
    } catch (error) {
      if (props.showErrorAtField?.(error as Error)) focusFirstInvalid(form)
      else setErrorText(reasonOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    // A click outside must not discard input or a secret that is shown once. Nothing closes the
    // dialog while the request runs: its result would be lost. A created secret is closed by its
    // button only, because Escape is often pressed by reflex.
    <Dialog.Root
      open={props.open ?? is_open}
      onOpenChange={(shown, { reason }) => {
        const stays_open = created !== undefined && reason !== 'close-press'
        if (!busy && !stays_open) show(shown)
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
        <Dialog.Popup className={`${tallPopupClass} ${props.wide ? 'sm:max-w-2xl' : ''}`}>
          <Dialog.Title className="text-lg font-semibold">{props.title}</Dialog.Title>
          {props.text && (
            <Dialog.Description className="mt-1 text-muted">{props.text}</Dialog.Description>
          )}
          {created ? (
            <CreatedResult>{created}</CreatedResult>
          ) : (
            <form
              onSubmit={submit}
              className="mt-5 flex flex-col gap-4"
              noValidate={props.native !== true}
            >
              {props.children}
              {error_text && (
                <p role="alert" className="rounded-lg bg-red-soft p-3 text-red">
                  {error_text}
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

function CreatedResult({ children }: { children: ReactNode }) {
  return (
    <>
      <div className="mt-4">{children}</div>
      <div className="mt-6 flex justify-end">
        <Dialog.Close render={<Button tone="primary" />}>Done</Dialog.Close>
      </div>
    </>
  )
}

/** Runs after React has rendered the errors. */
export function focusFirstInvalid(form: HTMLFormElement): void {
  setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}
