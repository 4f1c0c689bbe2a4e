// CSV as RFC 4180 has it, safe to open in a spreadsheet.

/** One record with its line end. Numbers stay numbers; null is an empty field. */
export function csvRecord(values: readonly (string | number | null)[]): string {
  return `${values.map(csvField).join(',')}\r\n`
}

function csvField(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = defuse(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

// A spreadsheet takes a text that begins like this for a formula, and some take the full-width
// forms for the plain ones. An apostrophe before it makes it text again.
const formula = /^[=+\-@\t\r\n＝＋－＠]/

// Where the comma is the decimal sign, spreadsheets separate by semicolons, and read quotes only at
// the beginning of a cell: then a semicolon or a line end in the midst of a field begins a new one,
// quoted or not. A comma never does, because a field that has one is quoted.
const inner_formula = /[;\t\r\n](?="*[=+\-@\t＝＋－＠])/g

function defuse(text: string): string {
  const inside = text.replace(inner_formula, "$&'")
  return formula.test(inside) ? `'${inside}` : inside
}
