// HTML templates that escape by default: a value is text unless it is Markup, so a page cannot
// contain an unescaped name or email address.

/** Text that is safe HTML: created by `html` or `trusted`. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

/** A value in a template. false, null and lists allow `condition && html…` and `map`. */
export type Part = Markup | string | number | false | null | undefined | readonly Part[]

export function html(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  requireQuotes(strings)
  let text = strings[0]!
  for (let at = 0; at < parts.length; at++) text += render(parts[at]) + strings[at + 1]!
  return new Markup(text)
}

/** For constants in the source, such as an SVG or a style sheet. Never for user input. */
export function trusted(text: string): Markup {
  return new Markup(text)
}

function render(part: Part): string {
  if (part instanceof Markup) return part.text
  if (part === false || part === null || part === undefined) return ''
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return part.map(render).join('')
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

// Quotes are escaped too, so the result is safe in text and in attributes.
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character]!)
}

// Escaping does not protect an unquoted attribute: a space in the value starts the next attribute.
// Each template is checked once, when it is first used.
const quoted = new WeakSet<TemplateStringsArray>()

function requireQuotes(strings: TemplateStringsArray): void {
  if (quoted.has(strings)) return
  if (strings.slice(0, -1).some((text) => text.endsWith('='))) {
    throw new Error('an attribute with an interpolated value must be quoted')
  }
  quoted.add(strings)
}
