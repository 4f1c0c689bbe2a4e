import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button, type Tone } from './button.tsx'
import { reasonOf } from './reason-of.ts'

interface ConfirmDialogProps {
  /** Label of the button that opens the dialog. */
  trigger: string
  tone?: Tone
  title: string
  /** The effect of the action, and whether it can be undone. */
  children: ReactNode
  /** Label of the confirm button, naming the action. */
  action: string
  action_tone?: Tone
  disabled?: boolean
  /** Label of the dismiss button, such as "Don’t refund". Default: "Cancel". */
  dismiss?: string
  /** Replaces API error messages that are not meant for end users. */
  explain?: (error: unknown) => string | undefined
  onConfirm: () => Promise<unknown>
  onOpenChange?: (open: boolean) => void
}

/** Confirms an action. Stays open and shows the error if the action fails. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error_text, setErrorText] = useState<string>()
  const show = (shown: boolean) => {
    setOpen(shown)
    setErrorText(undefined)
    props.onOpenChange?.(shown)
  }
  const confirm = async (event: FormEvent) => {
    event.preventDefault()
    setErrorText(undefined)
    setBusy(true)
    try {
      await props.onConfirm()
      show(false)
    } catch (error) {
      setErrorText(props.explain?.(error) ?? reasonOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    // It cannot be closed while the action runs: an error would be lost.
    <AlertDialog.Root open={open} onOpenChange={(shown) => void (busy || show(shown))}>
      <AlertDialog.Trigger render={<Button tone={props.tone ?? 'plain'} />}>
        {props.trigger}
      </AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={backdropClass} />
        <AlertDialog.Popup className={popupClass}>
          <form onSubmit={confirm}>
            <AlertDialog.Title className="text-lg font-semibold">{props.title}</AlertDialog.Title>
            <AlertDialog.Description render={<div />} className="mt-2 text-muted">
              {props.children}
            </AlertDialog.Description>
            {error_text && (
              <p role="alert" className="mt-4 rounded-lg bg-red-soft p-3 text-red">
                {error_text}
              </p>
            )}
            <div className="mt-6 flex flex-wrap justify-end gap-2">
              <AlertDialog.Close render={<Button />} disabled={busy}>
                {props.dismiss ?? 'Cancel'}
              </AlertDialog.Close>
              <Button
                tone={props.action_tone ?? 'danger'}
                disabled={busy || props.disabled === true}
                type="submit"
              >
                {busy ? 'Working…' : props.action}
              </Button>
            </div>
          </form>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

export const backdropClass = 'fixed inset-0 z-40 bg-[rgb(6_14_11/0.55)]'

export const popupClass = `fixed top-1/2 left-1/2 z-50 w-[calc(100vw-32px)] max-w-md
 -translate-x-1/2 -translate-y-1/2 rounded-2xl border border-line bg-card p-6 shadow-raised`

/** For dialogs that may be taller than the screen: the popup itself scrolls. */
export const tallPopupClass = `${popupClass} max-h-[calc(100dvh-32px)] overflow-y-auto max-sm:p-5`
