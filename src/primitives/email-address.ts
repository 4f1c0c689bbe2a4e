// Email addresses. There is one grammar and one canonical form, both here and never in SQL, so
// that what counts as the same address cannot drift between the application and an index.

// The longest address that fits an SMTP path (RFC 5321, erratum 1690).
export const email_length_max = 254

// The grammar of HTML's email field, which is what browsers accept: stricter than RFC 5322, whose
// quoted strings and comments nobody types, and ASCII only.
const localPart = String.raw`[a-zA-Z0-9.!#$%&'*+/=?^_\x60{|}~-]+`
const label = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
const shape = new RegExp(String.raw`^${localPart}@${label}(?:\.${label})*$`)

export function isEmail(text: string): boolean {
  return text.length <= email_length_max && shape.test(text)
}

/**
 * The form in which addresses are compared. Only A to Z are lowered: `toLowerCase` would also turn
 * the Kelvin sign into a k, and so make two different texts the same address.
 */
export function canonicalEmail(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
