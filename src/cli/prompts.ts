// Terminal prompts. They are written to stderr, so stdout contains only the command's output.

import { Interrupted } from './failures.ts'

type FindFault = (text: string) => string | undefined

export function canPrompt(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

export async function promptText(message: string, findFault: FindFault): Promise<string> {
  const { text } = await import('@clack/prompts')
  const validate = (input: string | undefined) => findFault(input ?? '')
  return requireText(await text({ message, validate, ...plain }))
}

/** Prompts twice, because the input is hidden. */
export async function promptNewPassword(findFault: FindFault): Promise<string> {
  const { password } = await import('@clack/prompts')
  const validate = (input: string | undefined) => findFault(input ?? '')
  const hidden = { ...plain, clearOnError: true }
  const first = requireText(await password({ message: 'Password', validate, ...hidden }))
  const findMismatch = (input: string | undefined) =>
    input === first
      ? undefined
      : 'The passwords do not match. Retype the first one, or press Ctrl-C to cancel.'
  requireText(await password({ message: 'Confirm password', validate: findMismatch, ...hidden }))
  return first
}

/** Prompts once: the server rejects a wrong value. */
export async function promptSecret(message: string): Promise<string> {
  const { password } = await import('@clack/prompts')
  const validate = (input: string | undefined) =>
    input ? undefined : 'Enter a value, or press Ctrl-C to cancel.'
  return requireText(await password({ message, validate, ...plain }))
}

// Without the guide lines that clack draws at the left.
const plain = { withGuide: false, output: process.stderr }

function requireText(response: string | symbol): string {
  if (typeof response === 'string') return response
  throw new Interrupted('Canceled. Nothing was changed.')
}
