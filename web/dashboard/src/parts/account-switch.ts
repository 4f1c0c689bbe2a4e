import { Dialog } from '@base-ui/react/dialog'

/** The switcher stands in the bar; a page that is about one account opens it too. */
export const account_switch = Dialog.createHandle()
