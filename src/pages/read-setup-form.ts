// Parses the submitted setup form into the admin to create, or an error text per field.

import type { AdminInput } from '../identity/users/create-admin.ts'
import {
  type PasswordPolicy,
  requireAcceptablePassword,
} from '../identity/users/password-policy.ts'
import { email_length_max, isEmail } from '../primitives/email-address.ts'
import { Refusal } from '../primitives/refusal.ts'
import { password_length_max, passwordLength } from '../primitives/secrets.ts'
import { codePointLength, isBlank, isPlainText } from '../primitives/text.ts'

/** The form fields, in display order. */
type SetupField = 'email' | 'name' | 'password'
export type SetupFaults = Partial<Record<SetupField, string>>

export interface SetupForm {
  /** Restored when the form is shown again. Never the password. */
  values: { email: string; name: string }
  faults: SetupFaults
  admin: AdminInput
}

const name_length_max = 200

export function readSetupForm(body: unknown, policy: PasswordPolicy): SetupForm {
  const email = readText(body, 'email').trim()
  const name = readText(body, 'name').trim()
  const password = readText(body, 'password')
  const faults = omitUndefined({
    email: emailFault(email),
    name: nameFault(name),
    password: passwordFault(password, policy, email),
  })
  const admin = { email, password, name: name === '' ? null : name }
  return { values: { email, name }, faults, admin }
}

// A repeated field is parsed as an array, which no browser sends: treat it as missing.
export function readText(body: unknown, name: string): string {
  const value = (body as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'string' ? value : ''
}

export function emailFault(email: string): string | undefined {
  if (email === '') return 'Enter an email address.'
  if (codePointLength(email) > email_length_max) {
    return `Enter an email address of at most ${email_length_max} characters.`
  }
  return isEmail(email) ? undefined : 'Enter an email address such as ann@example.com.'
}

export function nameFault(name: string): string | undefined {
  if (name === '') return undefined
  if (codePointLength(name) > name_length_max) {
    return `Enter a name of at most ${name_length_max} characters.`
  }
  if (isPlainText(name) && !isBlank(name)) return undefined
  return 'Enter a name with visible characters, or leave the field empty.'
}

export function passwordFault(
  password: string,
  policy: PasswordPolicy,
  email: string,
): string | undefined {
  if (password === '') return 'Choose a password.'
  if (!isPlainText(password)) {
    return 'Choose a password without tabs, line breaks or other control characters.'
  }
  if (passwordLength(password) > password_length_max) {
    return `Choose a password of at most ${password_length_max} characters.`
  }
  return policyFault(password, policy, email)
}

function policyFault(password: string, policy: PasswordPolicy, email: string): string | undefined {
  try {
    requireAcceptablePassword(password, policy, email)
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return faultOf(error, 'password')
  }
}

/** API messages start with the field name. On the page, the sentence starts with "The". */
function faultOf(refusal: Refusal, field: SetupField): string {
  return refusal.message.replace(new RegExp(`^"${field}"`), `The ${field}`)
}

function omitUndefined(faults: Record<SetupField, string | undefined>): SetupFaults {
  return Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== undefined))
}
