// Renders an email's HTML safely: rebuilds it from allowed text elements, links and harmless
// styles. No markup of the email is inserted as is, so the Content-Security-Policy stays strict.

import { createElement, type ReactNode } from 'react'

const allowed_elements = new Set(
  'a b br div em h1 h2 h3 i li ol p span strong table tbody td th thead tr u ul'.split(' '),
)

// Color, text and spacing properties, including variants such as padding-left. Nothing that can
// position an element outside its container or load a resource.
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
    // Always light: the email defines its colors for a light background.
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
 * Parses into a document that runs and loads nothing. Style attributes are renamed first: the
 * Content-Security-Policy reports each of them even here.
 */
function parseInert(html: string): Document {
  const inert = html
    .replaceAll(/<style[^>]*>[\s\S]*?<\/style>/gi, '')
    .replaceAll(/\sstyle="/gi, ' data-style="')
  return new DOMParser().parseFromString(inert, 'text/html')
}

function childrenOf(parent: Node): ReactNode[] {
  return [...parent.childNodes].map((node, at) => nodeOf(node, at, parent))
}

const table_parts = new Set(['TABLE', 'TBODY', 'THEAD', 'TR'])

function nodeOf(node: Node, at: number, parent: Node): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) {
    // React rejects white space between table rows.
    return table_parts.has(parent.nodeName) ? null : node.textContent
  }
  if (node.nodeType !== Node.ELEMENT_NODE) return null
  const element = node as Element
  const name = element.tagName.toLowerCase()
  if (!allowed_elements.has(name)) return null
  const children = name === 'br' ? undefined : childrenOf(element)
  // The page already has an h1.
  return createElement(name === 'h1' ? 'h3' : name, { key: at, ...propsOf(element) }, children)
}

function propsOf(element: Element): Record<string, unknown> {
  const align = element.getAttribute('align')
  const style = {
    boxSizing: 'content-box',
    // Undoes the page's CSS reset for tables, to match mail clients.
    ...(element.tagName === 'TABLE'
      ? { borderCollapse: 'separate', borderSpacing: 0, textAlign: 'start' }
      : {}),
    ...(align === 'center' || align === 'right' ? { textAlign: align } : {}),
    ...(element.getAttribute('valign') === 'top' ? { verticalAlign: 'top' } : {}),
    ...(element.getAttribute('width') === '100%' ? { width: '100%' } : {}),
    ...(element.tagName === 'TABLE' && align === null && isCentered(element)
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

/** align="center" on the parent also centers tables; text-align does not. */
function isCentered(element: Element): boolean {
  return element.parentElement?.getAttribute('align') === 'center'
}

function styleOf(element: Element): Record<string, string> {
  const rules = (element.getAttribute('data-style') ?? '').split(';').map((rule) => {
    const at = rule.indexOf(':')
    return [rule.slice(0, at).trim().toLowerCase(), rule.slice(at + 1).trim()] as const
  })
  const allowed = rules.filter(
    ([name, value]) => allowed_styles.test(name) && !/url\(|expression|@import/i.test(value),
  )
  return Object.fromEntries(
    allowed.map(([name, value]) => [camel(name), value.replaceAll('\n', ' ')]),
  )
}

function camel(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, character: string) => character.toUpperCase())
}
