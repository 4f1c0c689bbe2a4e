// The length of a password. Its NFKC form is hashed, so that form is counted: one ligature can
// expand to eighteen characters, and a base character with a combining accent composes to one.

import { codePointLength } from './text.ts'

export const password_length_max = 128

/**
 * NFKC composes at most four characters into one, so a longer password is too long in any form and
 * need not be normalized.
 */
export const password_sent_max = 1_024

export function passwordLength(password: string): number {
  const sent = codePointLength(password)
  return sent > password_sent_max ? sent : codePointLength(password.normalize('NFKC'))
}
