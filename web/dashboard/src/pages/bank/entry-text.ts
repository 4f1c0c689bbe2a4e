// Texts about bank entries.

import type { BankEntry } from '../../api/api-types.ts'

export function signedAmount({ direction, amount }: BankEntry): number {
  return direction === 'credit' ? amount : -amount
}

/** Money that arrived, and that can pay a request. */
export function isIncoming({ direction, is_reversal, return_reason }: BankEntry): boolean {
  return direction === 'credit' && !is_reversal && return_reason === null
}

const texts: Record<string, string> = {
  unknown: 'No known reference',
  ambiguous: 'Several references',
  short: 'Less than requested',
  over: 'More than requested',
  late: 'The request has ended',
  already_paid: 'The request is paid',
  wrong_currency: 'Another currency',
  reversal: 'Reverses an earlier entry',
  returned: 'A returned transfer',
  incomplete_batch: 'Parts do not add up',
  same_reference: 'Same reference',
  similar_reference: 'Similar reference',
  same_amount: 'Same amount',
  same_name: 'Same name',
}

/** Why a person must decide; empty otherwise. */
export function reasonText({ status, reason }: BankEntry): string {
  return status === 'open' && reason !== null ? textOf(reason) : ''
}

/** "Same reference, €10.00 less than requested". */
export function describeReasons(reasons: string[], difference: string): string {
  const described = reasons.map((reason) => {
    const text = lowerFirst(textOf(reason))
    return reason === 'short' || reason === 'over' ? `${difference} ${text}` : text
  })
  const joined = described.join(', ')
  return joined.charAt(0).toUpperCase() + joined.slice(1)
}

function textOf(reason: string): string {
  return texts[reason] ?? reason
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
