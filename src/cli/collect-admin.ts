// Collects the new admin's data from options, stdin, or terminal prompts.

import type { AdminInput } from '../identity/users/create-admin.ts'
import {
  type PasswordPolicy,
  requireAcceptablePassword,
} from '../identity/users/password-policy.ts'
import { isEmail } from '../primitives/email-address.ts'
import { password_length_max, passwordLength } from '../primitives/secrets.ts'
import { codePointLength, isBlank, isPlainText } from '../primitives/text.ts'
import { asSentence, UsageError } from './failures.ts'
import { canPrompt, promptNewPassword, promptText } from './prompts.ts'
import { readSecret } from './read-stdin.ts'

export interface AdminOptions {
  email?: string
  password?: string
  passwordStdin?: true
  name?: string
}

export async function collectAdmin(
  options: AdminOptions,
  policy: PasswordPolicy,
): Promise<AdminInput> {
  requireUsable(options.email, emailFault)
  requireUsable(options.name, nameFault)
  if (options.password !== undefined && options.passwordStdin) {
    throw new UsageError('Use --password or --password-stdin, not both.')
  }
  const email = options.email ?? (await promptEmail())
  const password = await readPassword(options, policy, email)
  requireUsable(password, passwordFault)
  return { email, password, ...(options.name !== undefined && { name: options.name }) }
}

async function promptEmail(): Promise<string> {
  if (!canPrompt())
    throw new UsageError('--email is required: florin admin create --email ann@example.com')
  return promptText('Email of the new admin', emailFault)
}

async function readPassword(
  options: AdminOptions,
  policy: PasswordPolicy,
  email: string,
): Promise<string> {
  if (options.password !== undefined) return options.password
  if (options.passwordStdin) return readSecret('password')
  if (!canPrompt()) {
    throw new UsageError('A password is required: pipe it to --password-stdin.')
  }
  const fault = (text: string) => passwordFault(text) ?? policyFault(text, policy, email)
  return promptNewPassword(fault)
}

function requireUsable(text: string | undefined, findFault: (text: string) => string | undefined) {
  const fault = text === undefined ? undefined : findFault(text)
  if (fault !== undefined) throw new UsageError(fault)
}

export function emailFault(text: string): string | undefined {
  return isEmail(text) ? undefined : 'The email must be an address such as ann@example.com.'
}

function nameFault(text: string): string | undefined {
  const fine = isPlainText(text) && !isBlank(text) && codePointLength(text) <= 200
  return fine ? undefined : 'The name must have 1 to 200 characters on one line.'
}

function passwordFault(text: string): string | undefined {
  const fine = isPlainText(text) && passwordLength(text) <= password_length_max
  if (fine) return undefined
  return `The password must be one line of at most ${password_length_max} characters.`
}

function policyFault(text: string, policy: PasswordPolicy, email: string): string | undefined {
  try {
    requireAcceptablePassword(text, policy, email)
    return undefined
  } catch (error) {
    return asSentence((error as Error).message)
  }
}
