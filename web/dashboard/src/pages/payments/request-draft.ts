// What the user has entered about the options of a payment request.

import type { PaymentRequest } from '../../api/api-types.ts'

export const reminder_choices = {
  default: 'Default: 3 days before, if emailed',
  none: 'None',
  '1': '1 day before the due date',
  '3': '3 days before the due date',
  '7': '7 days before the due date',
}

export interface RequestDraft {
  email: boolean
  /** A date such as 2026-12-24, or ''. */
  due: string
  message: string
  reminder: keyof typeof reminder_choices
}

export const blank_draft: RequestDraft = { email: true, due: '', message: '', reminder: 'default' }

/** The options of an earlier request. Its due date has no meaning for the new one. */
export function draftLike({ message, reminder_days, sends }: PaymentRequest): RequestDraft {
  return { email: sends > 0, due: '', message: message ?? '', reminder: choiceOf(reminder_days) }
}

function choiceOf(days: number | null): RequestDraft['reminder'] {
  if (days === 0) return 'none'
  const known = String(days ?? 'default')
  return known in reminder_choices ? (known as RequestDraft['reminder']) : 'default'
}

/** The fields of the API. */
export function optionsOf({ email, due, message, reminder }: RequestDraft) {
  const days = { default: null, none: 0, '1': 1, '3': 3, '7': 7 }[reminder]
  return {
    email,
    ...(due !== '' && { expires_at: due }),
    ...(message.trim() !== '' && { message: message.trim() }),
    ...(days !== null && { reminder_days: days }),
  }
}
