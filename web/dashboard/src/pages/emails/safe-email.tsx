// An email's HTML as its reader sees it, built anew from what is allowed: elements that only hold
// text, links, and styles that only paint. Nothing of the email's own code reaches the page, so
// the page's policy stays as strict as it is.

import { createElement, type ReactNode } from 'react'

const allowed_elements = new Set(
  'a b br div em h1 h2 h3 i li ol p span strong table tbody td th thead tr u ul'.split(' '),
)

// Painting and spacing, and the parts of each, such as padding-left. What could move out of its
// place, or load something, is not among them.
const allowed_styles = new RegExp(
  `^(${[
    '(background|border|font|margin|padding|text|overflow)(-[a-z]+)*',
    '(max-)?(height|width)',
    'color|display|letter-spacing|line-height|white-space|word-break',
  ].join('|')})$`,
)

export function SafeEmail({ html, label }: { html: string; label: string }) {
  const body = parseInert(html).body
  return (
    // In daylight in both themes, as on paper: its colours are its own.
    <section
      aria-label={label}
      className="overflow-hidden rounded-lg border border-line"
      style={{ ...styleOf(body), colorScheme: 'light' }}
    >
      {childrenOf(body)}
    </section>
  )
}

/**
 * A document that runs nothing and loads nothing. Styles are renamed before they are read: the
 * page's policy would complain about each, even there.
 */
function parseInert(html: string): Document {
  const quiet = html
    .replaceAll(/<style[^>]*>[\s\S]*?<\/style>/gi, '')
    .replaceAll(/\sstyle="/gi, ' data-style="')
  return new DOMParser().parseFromString(quiet, 'text/html')
}

function childrenOf(parent: Node): ReactNode[] {
  return [...parent.childNodes].map((node, at) => nodeOf(node, at, parent))
}

const table_parts = new Set(['TABLE', 'TBODY', 'THEAD', 'TR'])

function nodeOf(node: Node, at: number, parent: Node): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) {
    // White space between the rows of a table is nothing, and React refuses it there.
    return table_parts.has(parent.nodeName) ? null : node.textContent
  }
  if (node.nodeType !== Node.ELEMENT_NODE) return null
  const element = node as Element
  const name = element.tagName.toLowerCase()
  if (!allowed_elements.has(name)) return null
  const children = name === 'br' ? undefined : childrenOf(element)
  // The page has its own first heading.
  return createElement(name === 'h1' ? 'h3' : name, { key: at, ...propsOf(element) }, children)
}

function propsOf(element: Element): Record<string, unknown> {
  const align = element.getAttribute('align')
  const style = {
    boxSizing: 'content-box',
    // A table begins anew, as it does for those who read mail.
    ...(element.tagName === 'TABLE'
      ? { borderCollapse: 'separate', borderSpacing: 0, textAlign: 'start' }
      : {}),
    ...(align === 'center' || align === 'right' ? { textAlign: align } : {}),
    ...(element.getAttribute('valign') === 'top' ? { verticalAlign: 'top' } : {}),
    ...(element.getAttribute('width') === '100%' ? { width: '100%' } : {}),
    ...(element.tagName === 'TABLE' && align === null && isCentred(element)
      ? { margin: '0 auto' }
      : {}),
    ...styleOf(element),
  }
  const href = element.getAttribute('href')
  return {
    style,
    ...(element.getAttribute('role') === 'presentation' ? { role: 'presentation' } : {}),
    ...(href !== null && /^https?:\/\//.test(href)
      ? { href, target: '_blank', rel: 'noopener noreferrer' }
      : {}),
  }
}

/** The old attribute centres a table as well as text; the style that replaces it does not. */
function isCentred(element: Element): boolean {
  return element.parentElement?.getAttribute('align') === 'center'
}

function styleOf(element: Element): Record<string, string> {
  const rules = (element.getAttribute('data-style') ?? '').split(';').map((rule) => {
    const at = rule.indexOf(':')
    return [rule.slice(0, at).trim().toLowerCase(), rule.slice(at + 1).trim()] as const
  })
  const kept = rules.filter(
    ([name, value]) => allowed_styles.test(name) && !/url\(|expression|@import/i.test(value),
  )
  return Object.fromEntries(kept.map(([name, value]) => [camel(name), value.replaceAll('\n', ' ')]))
}

function camel(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, character: string) => character.toUpperCase())
}
