// What a new password must be. Length is what counts; there are no composition rules. Log-in never
// asks this: an old password stays good until it is changed.

import { password_length_max, passwordLength } from '../primitives/password-length.ts'
import { Refusal } from '../primitives/refusal.ts'
import { isCommonPassword } from './common-passwords.ts'

export interface PasswordPolicy {
  length_min: number
  refuse_common: boolean
}

export function requireGoodPassword(
  password: string,
  policy: PasswordPolicy,
  email?: string,
): void {
  const length = passwordLength(password)
  if (length < policy.length_min) {
    throw new Refusal(
      'invalid_request',
      `password must have at least ${policy.length_min} characters; this one has ${length}. ` +
        'Use a longer one.',
    )
  }
  if (length > password_length_max) {
    throw new Refusal(
      'invalid_request',
      `password must have at most ${password_length_max} characters; this one has ${length}, ` +
        'counted after NFKC. Use a shorter one.',
    )
  }
  if (!policy.refuse_common) return
  const is_email = password.normalize('NFKC').toLowerCase() === email?.toLowerCase()
  if (isCommonPassword(password) || is_email) {
    throw new Refusal(
      'invalid_request',
      'password must not be one that is easy to guess. Use a few unrelated words.',
    )
  }
}
