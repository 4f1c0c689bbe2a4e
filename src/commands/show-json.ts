// An answer for eyes: indented, with names in the accent colour. For everybody else as it came.

import { accent, print, strong } from './terminal.ts'

export function showJson(text: string, for_machines: boolean): void {
  print(`${for_machines ? text : prettyJson(text)}\n`)
}

export function prettyJson(text: string): string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // A statement as CSV, for one.
    return text.replaceAll(steering, '?')
  }
  const lines = JSON.stringify(value, null, 2)
  const colored = lines.replace(token, (whole, name, colon, other) => {
    if (name !== undefined) return accent(name) + colon
    return other === undefined ? whole : strong(other)
  })
  return colored.replaceAll(steering, escaped)
}

// A name with its colon, a text, or a number or word.
const token = /("(?:[^"\\]|\\.)*")(:)|"(?:[^"\\]|\\.)*"|\b(-?\d[\d.eE+-]*|true|false|null)\b/g

// JSON leaves these as they are, and a terminal obeys some of them. Escape itself is ours.
const steering = /[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009f]/g

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
