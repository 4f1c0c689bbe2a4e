// A strict reader for XML 1.0 with namespaces, on top of the scanner. It accepts the five
// predefined entities and character references, and nothing that needs a document type.

import { quote } from '../../primitives/text.ts'
import { BankFileError, malformed } from './bank-file-error.ts'
import { MarkupScanner, type MarkupToken } from './scan-markup.ts'

export type XmlEvent =
  | {
      kind: 'open'
      /** Without the prefix. */
      name: string
      namespace: string
      attributes: ReadonlyMap<string, string>
      line: number
    }
  | { kind: 'text'; text: string; line: number }
  | { kind: 'close'; name: string; line: number }

interface OpenElement {
  written: string
  name: string
  line: number
  /** Prefix → namespace; the default namespace has the prefix ''. */
  namespaces: ReadonlyMap<string, string>
}

const depth_max = 64

const name = '[A-Za-z_][A-Za-z0-9_.-]*'
const qualified = `${name}(?::${name})?`
const openShape = new RegExp(`^(${qualified})((?:\\s[^]*)?)$`)
const closeShape = new RegExp(`^/(${qualified})\\s*$`)
const attributeShape = new RegExp(`\\s+(${qualified})\\s*=\\s*("[^"<]*"|'[^'<]*')`, 'y')
const declarationShape = new RegExp(
  '^xml\\s+version\\s*=\\s*(["\'])1\\.0\\1' +
    '(\\s+encoding\\s*=\\s*(["\'])[A-Za-z][\\w.-]*\\3)?' +
    '(\\s+standalone\\s*=\\s*(["\'])(yes|no)\\5)?\\s*$',
)
const instructionShape = new RegExp(`^(${name})(\\s[^]*)?$`)

const noAttributes: ReadonlyMap<string, string> = new Map()

/** Push pieces of text, then end, which checks that the document is complete. */
export class XmlReader {
  readonly #scanner = new MarkupScanner()
  readonly #open: OpenElement[] = []
  #has_root = false
  #has_token = false;

  *push(text: string): Generator<XmlEvent> {
    for (const token of this.#scanner.push(text)) yield* this.#read(token)
  }

  *end(): Generator<XmlEvent> {
    for (const token of this.#scanner.end()) yield* this.#read(token)
    const { line } = this.#scanner
    const open = this.#open.at(-1)
    if (open !== undefined) {
      const problem = `the file ends inside of <${open.written}>, which starts in line ${open.line}`
      throw malformed({ line }, problem)
    }
    if (!this.#has_root) throw malformed({ line }, 'the file has no element')
  }

  *#read(token: MarkupToken): Generator<XmlEvent> {
    if (token.kind === 'tag') yield* this.#readTag(token)
    else if (token.kind === 'instruction') this.#checkInstruction(token)
    else yield* this.#readText(token)
    this.#has_token = true
  }

  *#readTag({ text, line }: MarkupToken): Generator<XmlEvent> {
    if (text.startsWith('/')) {
      yield this.#close(text, line)
      return
    }
    const is_empty = text.endsWith('/')
    const opened = this.#openElement(is_empty ? text.slice(0, -1) : text, line)
    yield opened
    if (!is_empty) return
    this.#open.pop()
    yield { kind: 'close', name: opened.name, line }
  }

  #openElement(text: string, line: number): XmlEvent & { kind: 'open' } {
    const [, written, rest] = openShape.exec(text) ?? []
    if (written === undefined)
      throw malformed({ line }, `a tag must have a name; got ${quote(text)}`)
    if (this.#open.length === 0 && this.#has_root) {
      throw malformed({ line }, `the file must have one outermost element; got also <${written}>`)
    }
    if (this.#open.length === depth_max) {
      throw malformed({ line }, `elements must be nested at most ${depth_max} deep`)
    }
    this.#has_root = true
    const attributes = readAttributes(rest!, line, written)
    const inherited = this.#open.at(-1)?.namespaces ?? outermost
    const namespaces = declareNamespaces(inherited, attributes, line)
    requirePrefixes(attributes, namespaces, line)
    const { namespace, local } = resolve(written, namespaces, line)
    this.#open.push({ written, name: local, line, namespaces })
    return { kind: 'open', name: local, namespace, attributes, line }
  }

  #close(text: string, line: number): XmlEvent {
    const written = closeShape.exec(text)?.[1]
    const open = this.#open.pop()
    if (written === undefined || open?.written !== written) {
      const expected = open === undefined ? 'no end tag' : `</${open.written}>`
      throw malformed({ line }, `expected ${expected}; got ${quote(`<${text}>`)}`)
    }
    return { kind: 'close', name: open.name, line }
  }

  *#readText({ kind, text, line }: MarkupToken): Generator<XmlEvent> {
    if (this.#open.length === 0) {
      if (kind === 'text' && /^[ \t\r\n]*$/.test(text)) return
      throw malformed({ line }, `text must be inside of an element; got ${quote(text.trim())}`)
    }
    if (kind === 'text' && text.includes(']]>')) {
      throw malformed({ line }, 'a text must not contain "]]>"')
    }
    yield { kind: 'text', text: kind === 'text' ? decodeEntities(text, line) : text, line }
  }

  #checkInstruction({ text, line }: MarkupToken): void {
    const target = instructionShape.exec(text)?.[1]
    const is_declaration = target?.toLowerCase() === 'xml'
    const is_valid = is_declaration
      ? !this.#has_token && declarationShape.test(text)
      : target !== undefined
    if (!is_valid) throw malformed({ line }, `<?${text.slice(0, 40)}?> is not allowed here`)
  }
}

function readAttributes(text: string, line: number, element: string): ReadonlyMap<string, string> {
  if (text.trim() === '') return noAttributes
  const attributes = new Map<string, string>()
  attributeShape.lastIndex = 0
  let end = 0
  for (let found = attributeShape.exec(text); found; found = attributeShape.exec(text)) {
    const [, written, value] = found as unknown as [string, string, string]
    if (attributes.has(written)) {
      throw malformed({ line, at: `<${element}>` }, `the attribute ${written} occurs twice`)
    }
    attributes.set(written, decodeEntities(value.slice(1, -1).replace(/[\t\n]/g, ' '), line))
    end = attributeShape.lastIndex
  }
  if (text.slice(end).trim() !== '') {
    const received = quote(text.slice(end).trim())
    const problem = `attributes must have the form name="value"; got ${received}`
    throw malformed({ line, at: `<${element}>` }, problem)
  }
  return attributes
}

const xml_namespace = 'http://www.w3.org/XML/1998/namespace'
const outermost: ReadonlyMap<string, string> = new Map([
  ['', ''],
  ['xml', xml_namespace],
])

const reservedNamespace = /^http:\/\/www\.w3\.org\/(XML\/1998|2000\/xmlns)/

function declareNamespaces(
  inherited: ReadonlyMap<string, string>,
  attributes: ReadonlyMap<string, string>,
  line: number,
): ReadonlyMap<string, string> {
  let namespaces: Map<string, string> | undefined
  for (const [written, value] of attributes) {
    if (written !== 'xmlns' && !written.startsWith('xmlns:')) continue
    const prefix = written.slice(6)
    const is_reserved = /^xml/i.test(prefix) || reservedNamespace.test(value)
    if (is_reserved || (prefix !== '' && value === '')) {
      throw malformed({ line }, `${written}=${quote(value)} is not allowed`)
    }
    namespaces ??= new Map(inherited)
    namespaces.set(prefix, value)
  }
  return namespaces ?? inherited
}

function requirePrefixes(
  attributes: ReadonlyMap<string, string>,
  namespaces: ReadonlyMap<string, string>,
  line: number,
): void {
  const expanded = new Set<string>()
  for (const written of attributes.keys()) {
    if (!written.includes(':') || written.startsWith('xmlns:')) continue
    const { namespace, local } = resolve(written, namespaces, line)
    const name_in_namespace = `${namespace} ${local}`
    if (expanded.has(name_in_namespace)) {
      throw malformed({ line }, `the attribute ${written} occurs twice`)
    }
    expanded.add(name_in_namespace)
  }
}

function resolve(written: string, namespaces: ReadonlyMap<string, string>, line: number) {
  const colon = written.indexOf(':')
  const prefix = colon === -1 ? '' : written.slice(0, colon)
  const namespace = namespaces.get(prefix)
  if (namespace === undefined) throw malformed({ line }, `the prefix of ${written} is not declared`)
  return { namespace, local: written.slice(colon + 1) }
}

const predefined: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function decodeEntities(text: string, line: number): string {
  if (!text.includes('&')) return text
  return text.replace(/&([^;&\s]{0,32};?)/g, (written, reference: string) => {
    const decoded = reference.endsWith(';') ? decodeReference(reference.slice(0, -1)) : undefined
    if (decoded !== undefined) return decoded
    const known = '&lt; &gt; &amp; &quot; &apos; and character numbers'
    const problem = `an entity must be one of ${known}; got ${quote(written)}`
    const advice = 'Export the statement again. Florin does not expand entities.'
    throw new BankFileError('forbidden_markup', { line }, problem, advice)
  })
}

function decodeReference(reference: string): string | undefined {
  if (Object.hasOwn(predefined, reference)) return predefined[reference]
  const [, hex, decimal] = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(reference) ?? []
  if (hex === undefined && decimal === undefined) return undefined
  const code = Number.parseInt(hex ?? decimal!, hex === undefined ? 10 : 16)
  return isCharacter(code) ? String.fromCodePoint(code) : undefined
}

function isCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd
  return code < 0xd800 || (code > 0xdfff && code < 0xfffe) || (code > 0xffff && code <= 0x10ffff)
}
