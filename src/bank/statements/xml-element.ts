// Small trees of XML elements: one entry of a statement at a time.

import { BankFileError, type BankFilePosition, missing } from './bank-file-error.ts'
import type { XmlEvent } from './read-xml.ts'

export interface XmlElement {
  name: string
  attributes: ReadonlyMap<string, string>
  /** Own text, without that of the children. */
  text: string
  children: XmlElement[]
  line: number
}

// More than the elements of a collective entry that fills the largest file.
const elements_max = 500_000

/** Builds one tree from the events of an element, including those that open and close it. */
export class ElementBuilder {
  readonly #open: XmlElement[] = []
  #count = 0

  /** Returns the tree when its outermost element is closed. */
  take(event: XmlEvent): XmlElement | undefined {
    const parent = this.#open.at(-1)
    if (event.kind === 'open') {
      const { name, attributes, line } = event
      const element: XmlElement = { name, attributes, text: '', children: [], line }
      this.#count = parent === undefined ? 1 : this.#count + 1
      if (this.#count > elements_max) throw tooMany(this.#open[0]!)
      parent?.children.push(element)
      this.#open.push(element)
    } else if (event.kind === 'text') {
      if (parent !== undefined) parent.text += event.text
    } else {
      this.#open.pop()
      if (this.#open.length === 0) return parent
    }
    return undefined
  }

  get isBuilding(): boolean {
    return this.#open.length > 0
  }
}

function tooMany(outermost: XmlElement): BankFileError {
  const problem = `an element must contain at most ${elements_max} others`
  const advice = 'Check that the file is a bank statement, and export it again.'
  return new BankFileError('too_large', positionOf(outermost), problem, advice)
}

/** All elements at a path of names: `elementsAt(entry, 'NtryDtls/TxDtls')`. */
export function elementsAt(element: XmlElement, path: string): XmlElement[] {
  const found: XmlElement[] = []
  collect(element, path, found)
  return found
}

/** Called about fifty times for each entry, so it does not create a list for each name. */
function collect(element: XmlElement, path: string, found: XmlElement[]): void {
  const slash = path.indexOf('/')
  const name = slash === -1 ? path : path.slice(0, slash)
  for (const child of element.children) {
    if (child.name !== name) continue
    if (slash === -1) found.push(child)
    else collect(child, path.slice(slash + 1), found)
  }
}

/** The first element at any of these paths, which differ between versions of a schema. */
export function findElement(element: XmlElement, ...paths: string[]): XmlElement | undefined {
  for (const path of paths) {
    const [found] = elementsAt(element, path)
    if (found !== undefined) return found
  }
  return undefined
}

/** The first text that is not empty at any of these paths. */
export function findText(element: XmlElement, ...paths: string[]): string | undefined {
  for (const path of paths) {
    for (const found of elementsAt(element, path)) {
      const text = found.text.trim()
      if (text !== '') return text
    }
  }
  return undefined
}

export function getElement(element: XmlElement, path: string): XmlElement {
  const found = findElement(element, path)
  if (found === undefined) throw missing(positionOf(element), `<${path.replaceAll('/', '><')}>`)
  return found
}

export function positionOf(element: XmlElement): BankFilePosition {
  return { line: element.line, at: `<${element.name}>` }
}
