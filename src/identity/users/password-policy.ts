// The rules for a new password: its length, and that it is not common. There are no composition
// rules. Login does not apply them, so existing passwords stay valid.

import { Refusal } from '../../primitives/refusal.ts'
import { password_length_max, passwordLength } from '../../primitives/secrets.ts'
import { isCommonPassword } from './common-passwords.ts'

export interface PasswordPolicy {
  length_min: number
  reject_common: boolean
}

export function requireAcceptablePassword(
  password: string,
  policy: PasswordPolicy,
  email?: string,
): void {
  const length = passwordLength(password)
  if (length < policy.length_min) {
    throw new Refusal(
      'invalid_request',
      `"password" must have at least ${policy.length_min} characters; got ${length}. ` +
        'Use a longer password.',
    )
  }
  if (length > password_length_max) {
    throw new Refusal(
      'invalid_request',
      `"password" must have at most ${password_length_max} characters; got ${length}, ` +
        'counted after NFKC normalization. Use a shorter password.',
    )
  }
  if (!policy.reject_common) return
  const is_email = password.normalize('NFKC').toLowerCase() === email?.toLowerCase()
  if (isCommonPassword(password) || is_email) {
    throw new Refusal(
      'invalid_request',
      '"password" must not be easy to guess. Use a few unrelated words.',
    )
  }
}
