// What came from the set-up form: the admin to make, or a sentence for each field at fault.

import { email_length_max, isEmail } from '../primitives/email-address.ts'
import { password_length_max, passwordLength } from '../primitives/password-length.ts'
import { Refusal } from '../primitives/refusal.ts'
import { codePointLength, isBlank, isPlainText } from '../primitives/text.ts'
import type { AdminInput } from '../users/create-admin.ts'
import { type PasswordPolicy, requireGoodPassword } from '../users/password-policy.ts'

/** The fields in the order in which the form shows them. */
export type SetupField = 'email' | 'name' | 'password'
export type SetupFaults = Partial<Record<SetupField, string>>

export interface SetupForm {
  /** What is shown again. Never the password. */
  values: { email: string; name: string }
  faults: SetupFaults
  admin: AdminInput
}

const name_length_max = 200

export function readSetupForm(body: unknown, policy: PasswordPolicy): SetupForm {
  const email = readText(body, 'email').trim()
  const name = readText(body, 'name').trim()
  const password = readText(body, 'password')
  const faults = dropNothing({
    email: emailFault(email),
    name: nameFault(name),
    password: passwordFault(password, policy, email),
  })
  const admin = { email, password, name: name === '' ? null : name }
  return { values: { email, name }, faults, admin }
}

// A field that came twice is a list, which no browser sends: it counts as not sent.
function readText(body: unknown, name: SetupField): string {
  const value = (body as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'string' ? value : ''
}

function emailFault(email: string): string | undefined {
  if (email === '') return 'Enter an email address.'
  if (codePointLength(email) > email_length_max) {
    return `Enter a shorter email address: ${email_length_max} characters at most.`
  }
  return isEmail(email) ? undefined : 'Enter an email address such as ann@example.com.'
}

function nameFault(name: string): string | undefined {
  if (name === '') return undefined
  if (codePointLength(name) > name_length_max) {
    return `Enter a shorter name: ${name_length_max} characters at most.`
  }
  if (isPlainText(name) && !isBlank(name)) return undefined
  return 'Enter a name of letters that can be seen, or leave it empty.'
}

function passwordFault(
  password: string,
  policy: PasswordPolicy,
  email: string,
): string | undefined {
  if (password === '') return 'Choose a password.'
  if (!isPlainText(password)) {
    return 'Choose a password without tabs, line breaks and other control characters.'
  }
  if (passwordLength(password) > password_length_max) {
    return `Choose a shorter password: ${password_length_max} characters at most.`
  }
  return policyFault(password, policy, email)
}

function policyFault(password: string, policy: PasswordPolicy, email: string): string | undefined {
  try {
    requireGoodPassword(password, policy, email)
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return faultOf(error, 'password')
  }
}

/** A refusal begins with the name of the field, as an API does; here it begins a sentence. */
export function faultOf(refusal: Refusal, field: SetupField): string {
  return refusal.message.replace(new RegExp(`^"${field}"`), `The ${field}`)
}

function dropNothing(faults: Record<SetupField, string | undefined>): SetupFaults {
  return Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== undefined))
}
