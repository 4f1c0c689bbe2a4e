// Markup that escapes by default. Whatever is put into a template is text unless it is Markup
// itself, so a page cannot forget to escape a name or an email.

/** Text that is known to be markup: made by `html`, or vouched for by `trusted`. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

/** What a template takes. Nothing, false and lists make `cond && html…` and `map` read plainly. */
export type Part = Markup | string | number | false | null | undefined | readonly Part[]

export function html(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  requireQuotes(strings)
  let text = strings[0]!
  for (let at = 0; at < parts.length; at++) text += render(parts[at]) + strings[at + 1]!
  return new Markup(text)
}

/** For constants of our own, such as a drawing or a style sheet. Never for what somebody sent. */
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

// Quotes are escaped too, so one rule serves text and attributes.
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character]!)
}

// Escaping cannot save a value without quotes: a space in it would begin the next attribute. Each
// template is looked at once, the first time it is used.
const quoted = new WeakSet<TemplateStringsArray>()

function requireQuotes(strings: TemplateStringsArray): void {
  if (quoted.has(strings)) return
  if (strings.slice(0, -1).some((text) => text.endsWith('='))) {
    throw new Error('an attribute whose value is filled in needs quotes around it')
  }
  quoted.add(strings)
}
