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
export function transientMessage(text: string): () => void {
  if (!process.stdout.isTTY) return () => {}
  process.stdout.write(faint(text))
  return () => void process.stdout.write('\r\u001b[2K')
}

export interface ProgressBar {
  move(done: number, total: number): void
  /** Takes the bar away, so that something else can be printed; the next move draws it again. */
  clear(): void
}

const bar_width = 24

/** One line that is drawn over and over, on a terminal only. */
export function progressBar(title: string, noun: string): ProgressBar {
  if (!process.stdout.isTTY) return { move: () => {}, clear: () => {} }
  let drawn_at = 0
  return {
    move(done, total) {
      // The eye sees no more, and a terminal over a slow line must not be what is waited for.
      if (performance.now() - drawn_at < 80 && done < total) return
      drawn_at = performance.now()
      const share = total === 0 ? 1 : done / total
      const full = Math.round(share * bar_width)
      const bar = accent('█'.repeat(full)) + faint('░'.repeat(bar_width - full))
      const percent = `${Math.floor(share * 100)} %`.padStart(5)
      const of = faint(`${formatNumber(done)} of ${formatNumber(total)} ${noun}`)
      process.stdout.write(`\r\u001b[2K  ${title} ${bar} ${percent}  ${of}`)
    },
    clear() {
      drawn_at = 0
      process.stdout.write('\r\u001b[2K')
    },
  }
}

const numbers = new Intl.NumberFormat('en')

export function formatNumber(value: number): string {
  return numbers.format(value)
}

/** JSON when asked for, and when nobody looks: then our output is somebody's input. */
export function isForMachines(options: { json?: true }): boolean {
  return options.json === true || !process.stdout.isTTY
}

/** A name or a path from elsewhere could otherwise steer the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '?')
}

/** The time of day here, as it stands before a line. */
export function timeOfDay(at: Date): string {
  return at.toTimeString().slice(0, 8)
}

export function warnUser(warning: string, message: string, { json }: { json?: true }): void {
  const line = json ? JSON.stringify({ warning, message }) : `${symbols.warn} ${message}`
  process.stderr.write(`${line}\n`)
}
