// Parses the submitted sign-up form into the account to open, or an error text per field.

import type { AccountSettings, AccountType } from '../accounts/account.ts'
import type { PasswordPolicy } from '../identity/users/password-policy.ts'
import { codePointLength, isBlank, isLanguage, isPlainText } from '../primitives/text.ts'
import { isTimeZone } from '../primitives/time.ts'
import { preferredLanguage } from '../translations/localization.ts'
import { emailFault, passwordFault, readText } from './read-setup-form.ts'

/** The form fields, in display order. */
export const sign_up_fields = ['name', 'type', 'email', 'password'] as const
export type SignUpFaults = Partial<Record<(typeof sign_up_fields)[number], string>>

/** Restored when the form is shown again. Never the password. */
export interface SignUpValues {
  name: string
  type: string
  email: string
}

export interface SignUpForm {
  values: SignUpValues
  faults: SignUpFaults
  /** Valid if there are no faults. */
  account: {
    name: string
    type: AccountType
    email: string
    password: string
    settings: Partial<AccountSettings>
  }
}

export function readSignUpForm(
  body: unknown,
  accept_language: string | undefined,
  policy: PasswordPolicy,
): SignUpForm {
  const [name, type, email] = [readText(body, 'name').trim(), readText(body, 'type'), emailOf(body)]
  const password = readText(body, 'password')
  const found: Record<keyof SignUpFaults, string | undefined> = {
    name: nameFault(name),
    type: isType(type) ? undefined : 'Choose one of the two.',
    email: emailFault(email),
    password: passwordFault(password, policy, email),
  }
  const faults = Object.fromEntries(
    Object.entries(found).filter(([, fault]) => fault !== undefined),
  )
  const settings = readSettings(readText(body, 'timezone'), accept_language)
  return {
    values: { name, type, email },
    faults,
    account: { name, type: type as AccountType, email, password, settings },
  }
}

function emailOf(body: unknown): string {
  return readText(body, 'email').trim()
}

/** What the browser reports. A value that Florin does not support is ignored, not an error. */
function readSettings(
  timezone: string,
  accept_language: string | undefined,
): Partial<AccountSettings> {
  const language = preferredLanguage(accept_language)
  return {
    ...(isTimeZone(timezone) && { timezone }),
    ...(language !== undefined && isLanguage(language) && { language }),
  }
}

function isType(type: string): type is AccountType {
  return type === 'business' || type === 'individual'
}

const name_length_max = 200

function nameFault(name: string): string | undefined {
  if (name === '') return 'Enter the name of your business, or your own name.'
  if (codePointLength(name) > name_length_max) {
    return `Enter a name of at most ${name_length_max} characters.`
  }
  if (isPlainText(name) && !isBlank(name)) return undefined
  return 'Enter a name with visible characters, on one line.'
}
