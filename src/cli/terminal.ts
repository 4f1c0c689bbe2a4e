// Terminal output: aligned columns, one accent color, symbols that work without color. styleText
// omits colors if NO_COLOR is set or the stream is not a terminal.

import { styleText } from 'node:util'

/** Symbols of doctor and of failures, always next to a word. */
export const symbols = { ok: '✓', warn: '!', fail: '✗' } as const

/** The accent color. */
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

/** Labels in one column, values in the next. */
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

/** Shows a message until the returned function removes it. Terminals only. */
export function transientMessage(text: string): () => void {
  if (!process.stdout.isTTY) return () => {}
  process.stdout.write(faint(text))
  return () => void process.stdout.write('\r\u001b[2K')
}

interface ProgressBar {
  move(done: number, total: number): void
  /** Removes the bar, so that other lines can be printed; the next move redraws it. */
  clear(): void
}

const bar_width = 24

/** A progress bar on one line. Terminals only. */
export function progressBar(title: string, noun: string): ProgressBar {
  if (!process.stdout.isTTY) return { move: () => {}, clear: () => {} }
  let drawn_at = 0
  return {
    move(done, total) {
      // Limits the redraws, because a slow terminal would slow down the work.
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

/** Whether to print JSON: if requested, or if stdout is not a terminal. */
export function isForMachines(options: { json?: true }): boolean {
  return options.json === true || !process.stdout.isTTY
}

/** Replaces control characters, which could otherwise control the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '?')
}

/** Local time as HH:MM:SS. */
export function timeOfDay(at: Date): string {
  return at.toTimeString().slice(0, 8)
}

export function warnUser(warning: string, message: string, { json }: { json?: true }): void {
  const line = json ? JSON.stringify({ warning, message }) : `${symbols.warn} ${message}`
  process.stderr.write(`${line}\n`)
}
