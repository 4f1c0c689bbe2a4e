import { Dialog } from '@base-ui/react/dialog'

/** The account switcher is in the top bar. Pages that need an account open it through this. */
export const account_switch = Dialog.createHandle()
