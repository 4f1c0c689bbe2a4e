// How long a password is. What is hashed is its NFKC form, so that is what is counted: one ligature
// may be eighteen characters there, and a letter with its accent sent apart is one.

import { codePointLength } from './text.ts'

export const password_length_max = 128

/**
 * What may be sent. NFKC makes one character of at most four, so no password within the limit is
 * refused by this; and what is longer need not be normalised to be known as too long.
 */
export const password_sent_max = 1_024

export function passwordLength(password: string): number {
  const sent = codePointLength(password)
  return sent > password_sent_max ? sent : codePointLength(password.normalize('NFKC'))
}
