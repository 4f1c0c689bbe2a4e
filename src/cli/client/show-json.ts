// Prints a response: indented and colored in a terminal, unchanged otherwise.

import { accent, print, strong } from '../terminal.ts'

export function showJson(text: string, for_machines: boolean): void {
  print(`${for_machines ? text : prettyJson(text)}\n`)
}

function prettyJson(text: string): string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Not JSON, such as a statement in CSV.
    return text.replaceAll(control_characters, '?')
  }
  const lines = JSON.stringify(value, null, 2)
  const colored = lines.replace(token, (whole, name, colon, other) => {
    if (name !== undefined) return accent(name) + colon
    return other === undefined ? whole : strong(other)
  })
  return colored.replaceAll(control_characters, escapeCharacter)
}

// A field name with its colon, a string, or a number or literal.
const token = /("(?:[^"\\]|\\.)*")(:)|"(?:[^"\\]|\\.)*"|\b(-?\d[\d.eE+-]*|true|false|null)\b/g

// Control characters that JSON may contain and a terminal may interpret. ESC is excluded, because
// the colors use it.
const control_characters = /[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009f]/g

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
