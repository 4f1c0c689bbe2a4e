// Questions on a terminal. They go to stderr, so that stdout holds the answer of the command alone.

import { Interrupted } from './failures.ts'

export type FindFault = (text: string) => string | undefined

export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

export async function askText(message: string, findFault: FindFault): Promise<string> {
  const { text } = await import('@clack/prompts')
  const validate = (given: string | undefined) => findFault(given ?? '')
  return answerOf(await text({ message, validate, ...plain }))
}

/** Twice, because what is typed is not shown. */
export async function askPassword(findFault: FindFault): Promise<string> {
  const { password } = await import('@clack/prompts')
  const validate = (given: string | undefined) => findFault(given ?? '')
  const hidden = { ...plain, clearOnError: true }
  const first = answerOf(await password({ message: 'Password', validate, ...hidden }))
  const isOther = (given: string | undefined) =>
    given === first ? undefined : 'The two differ. Type the first one again, or press Ctrl-C.'
  answerOf(await password({ message: 'Once more', validate: isOther, ...hidden }))
  return first
}

/** Once: whoever gets it wrong is told by the server. */
export async function askSecret(message: string): Promise<string> {
  const { password } = await import('@clack/prompts')
  const validate = (given: string | undefined) => (given ? undefined : 'Type it, or press Ctrl-C.')
  return answerOf(await password({ message, validate, ...plain }))
}

// No lines at the left: Florin draws no boxes.
const plain = { withGuide: false, output: process.stderr }

function answerOf(response: string | symbol): string {
  if (typeof response === 'string') return response
  throw new Interrupted('Stopped. Nothing was changed.')
}
