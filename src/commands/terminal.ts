// How Florin looks on a terminal: aligned columns, one accent colour, symbols that also read
// without colour. styleText leaves colour out by itself when NO_COLOR is set or nobody looks.

import { styleText } from 'node:util'

/** Marks of doctor and of failures; a word always stands beside them. */
export const symbols = { ok: '✓', warn: '!', fail: '✗' } as const

/** The one accent: the green of the coin. */
export function accent(text: string): string {
  return styleText('green', text, { stream: process.stdout })
}

export function strong(text: string): string {
  return styleText('bold', text, { stream: process.stdout })
}

export function faint(text: string): string {
  return styleText('dim', text, { stream: process.stdout })
}

export type Row = readonly [label: string, value: string]

/** Labels in one column, values in the next; an empty label continues the one above. */
export function columns(rows: readonly Row[], indent = '  '): string {
  const width = Math.max(...rows.map(([label]) => label.length)) + 2
  return rows.map(([label, value]) => `${indent}${faint(label.padEnd(width))}${value}\n`).join('')
}

export function print(text: string): void {
  process.stdout.write(text)
}

export function printJson(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}

/** A passing word while something takes long; gone without a trace when it is done. */
export function passingWord(text: string): () => void {
  if (!process.stdout.isTTY) return () => {}
  process.stdout.write(faint(text))
  return () => void process.stdout.write('\r\u001b[2K')
}

/** JSON when asked for, and when nobody looks: then our output is somebody's input. */
export function isForMachines(options: { json?: true }): boolean {
  return options.json === true || !process.stdout.isTTY
}

export function warnUser(warning: string, message: string, { json }: { json?: true }): void {
  const line = json ? JSON.stringify({ warning, message }) : `${symbols.warn} ${message}`
  process.stderr.write(`${line}\n`)
}
