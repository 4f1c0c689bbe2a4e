import { Toast } from '@base-ui/react/toast'
import { Icon } from './icon.tsx'

const manager = Toast.createToastManager()

/** Confirms an action for a few seconds. Use a dialog for anything that needs a decision. */
export function showToast(title: string, description?: string): void {
  add({ title, description })
}

/** Reports an action that failed or only partly succeeded. */
export function showErrorToast(title: string, description?: string): void {
  add({ title, description, type: 'failure' })
}

interface Notice {
  title: string
  description: string | undefined
  type?: string
}

function add({ description, ...rest }: Notice): void {
  manager.add({ ...rest, ...(description === undefined ? {} : { description }), timeout: 6_000 })
}

export function Toasts() {
  return (
    <Toast.Provider toastManager={manager}>
      <Toast.Portal>
        <Toast.Viewport
          className="fixed right-4 bottom-4 z-50 flex w-[calc(100vw-32px)] max-w-sm
 flex-col gap-2"
        >
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className="flex items-start gap-3 rounded-xl border border-line bg-card p-4 shadow-raised"
    >
      <span className={toast.type === 'failure' ? 'text-red' : 'text-brand'}>
        <Icon name={toast.type === 'failure' ? 'warning' : 'check'} />
      </span>
      <Toast.Content className="min-w-0 flex-1">
        <Toast.Title className="font-semibold" />
        <Toast.Description className="text-muted" />
      </Toast.Content>
      <Toast.Close aria-label="Close" className="rounded-md text-muted hover:text-ink">
        <Icon name="close" />
      </Toast.Close>
    </Toast.Root>
  ))
}
