// Reads input that is piped into a command.

import { UsageError } from './failures.ts'

export async function readStdin(): Promise<string> {
  return (await readStdinBytes()).toString('utf8')
}

export async function readStdinBytes(): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Reads stdin to its end and removes one trailing line break. */
export async function readSecret(name: string): Promise<string> {
  const text = (await readStdin()).replace(/\r?\n$/, '')
  if (text === '') throw new UsageError(`No ${name} was received on stdin.`)
  return text
}
