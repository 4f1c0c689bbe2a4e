// What a new password must be. Length is what counts; there are no composition rules. Log-in never
// asks this: an old password stays good until it is changed.

import { Refusal } from '../primitives/refusal.ts'
import { codePointLength } from '../primitives/text.ts'
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
  const length = codePointLength(password.normalize('NFKC'))
  if (length < policy.length_min) {
    throw new Refusal(
      'invalid_request',
      `password must have at least ${policy.length_min} characters; this one has ${length}. ` +
        'Use a longer one.',
    )
  }
  if (!policy.refuse_common) return
  if (isCommonPassword(password) || password.toLowerCase() === email?.toLowerCase()) {
    throw new Refusal(
      'invalid_request',
      'password must not be one that is easy to guess. Use a few unrelated words.',
    )
  }
}
