// Renders a page of docs/ as HTML. Raw HTML in Markdown is shown as text, links to other Markdown
// files become links to their HTML pages, and every heading has an anchor.

import { Marked, type RendererObject, type Token } from 'marked'
import { html, type Markup, trusted } from '../../primitives/markup.ts'

interface Heading {
  depth: number
  id: string
  text: string
}

interface RenderedMarkdown {
  content: Markup
  /** The headings below the title, in order. */
  headings: Heading[]
  /** The text below each heading, for search. The first entry is the text below the title. */
  sections: { heading: Heading | undefined; text: string }[]
}

/** `path` is the path of the Markdown file in the server's URL. Links are relative to it. */
export function renderMarkdown(text: string, path: string): RenderedMarkdown {
  const marked = new Marked({ gfm: true })
  const tokens = marked.lexer(text)
  const known = headingsOf(tokens)
  marked.use({ renderer: rendererFor(path, known) })
  const headings = [...known.values()].filter(({ depth }) => depth > 1)
  const content = trusted(marked.parser(tokens))
  return { content, headings, sections: sectionsOf(tokens, known) }
}

/** Renders text of the API description, which has no headings and no relative links. */
export function renderText(text: string): Markup {
  return trusted(new Marked({ gfm: true, renderer: rendererFor('/', new Map()) }).parser(lex(text)))
}

function lex(text: string): Token[] {
  return new Marked({ gfm: true }).lexer(text)
}

function headingsOf(tokens: Token[]): Map<Token, Heading> {
  const used = new Map<string, number>()
  const headings = new Map<Token, Heading>()
  for (const token of tokens) {
    if (token.type !== 'heading') continue
    const text = plainText(token)
    const slug = slugOf(text)
    const before = used.get(slug) ?? 0
    used.set(slug, before + 1)
    headings.set(token, { depth: token.depth, id: before === 0 ? slug : `${slug}-${before}`, text })
  }
  return headings
}

/** The rule of GitHub, where the same files are read with the same links. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
}

function rendererFor(path: string, headings: Map<Token, Heading>): RendererObject {
  return {
    html: ({ text }) => html`${text}`.text,
    heading(token) {
      const text = trusted(this.parser.parseInline(token.tokens))
      const heading = headings.get(token)
      if (heading === undefined || heading.depth === 1) return html`<h1>${text}</h1>\n`.text
      const { id } = heading
      const anchor = html`<a class="anchor" href="#${id}" aria-label="Link to ${heading.text}"
>#</a>`
      // The level comes from the parser: a number from 2 to 6.
      const tag = trusted(`h${heading.depth}`)
      return html`<${tag} id="${id}">${text} ${anchor}</${tag}>\n`.text
    },
    code({ text, lang }) {
      return (lang === 'mermaid' ? transitionTable(text) : codeBlock(text, lang)).text
    },
    link(token) {
      const text = trusted(this.parser.parseInline(token.tokens))
      return html`<a href="${pageLink(token.href, path)}">${text}</a>`.text
    },
    table(token) {
      const row = (cells: typeof token.header, tag: 'th' | 'td') => {
        const name = trusted(tag)
        const texts = cells.map((cell) => trusted(this.parser.parseInline(cell.tokens)))
        return html`<tr>${texts.map((text) => html`<${name}>${text}</${name}>`)}</tr>\n`
      }
      // It can be wider than a phone, and a region that scrolls must be reachable by keyboard.
      return html`<div class="table" tabindex="0"><table>
<thead>${row(token.header, 'th')}</thead>
<tbody>${token.rows.map((cells) => row(cells, 'td'))}</tbody>
</table></div>\n`.text
    },
  }
}

export function codeBlock(text: string, language: string | undefined): Markup {
  return html`<div class="code" data-language="${language || 'text'}"><pre
 tabindex="0"><code>${text}</code></pre></div>\n`
}

/**
 * A state diagram as a table. Drawing it in a browser would take a megabyte of script, and a
 * screen reader reads a table.
 */
function transitionTable(diagram: string): Markup {
  const [kind, ...lines] = diagram.trim().split('\n')
  if (kind !== 'stateDiagram-v2') throw new Error(`only state diagrams are rendered; got ${kind}`)
  const moves = lines.map((line) => {
    const [, from, to, cause] = /^\s*(\S+) --> ([^\s:]+)(?:: (.+))?$/.exec(line) ?? []
    if (from === undefined || to === undefined) throw new Error(`not a transition: ${line}`)
    return { from, to, cause: cause?.split('; ').join(', ') }
  })
  const state = (name: string) => (name === '[*]' ? 'new' : html`<code>${name}</code>`)
  const rows = moves
    .filter(({ to }) => to !== '[*]')
    .map(
      ({ from, to, cause }) => html`<tr><td>${state(from)}</td><td>${state(to)}</td>
<td>${cause}</td></tr>\n`,
    )
  return html`<div class="table" tabindex="0"><table>
<thead><tr><th>from</th><th>to</th><th>when</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>\n`
}

/** The HTML page of a linked Markdown file; other links unchanged. */
function pageLink(href: string, path: string): string {
  if (/^[a-z]+:/.test(href) || href.startsWith('#')) return href
  const { pathname, hash } = new URL(href, `http://docs${path}`)
  return htmlPath(pathname) + hash
}

export function htmlPath(path: string): string {
  if (path === '/docs/reference.md') return '/docs/api'
  return path.replace(/\/README\.md$/, '').replace(/\.md$/, '')
}

function sectionsOf(tokens: Token[], headings: Map<Token, Heading>) {
  const sections: RenderedMarkdown['sections'] = [{ heading: undefined, text: '' }]
  for (const token of tokens) {
    const heading = headings.get(token)
    if (heading === undefined) sections.at(-1)!.text += `${plainText(token)} `
    else if (heading.depth > 1) sections.push({ heading, text: '' })
  }
  return sections
}

/** The text that a reader sees, without Markdown syntax. */
function plainText(token: Token): string {
  const { tokens, items, header, rows } = token as Token & Record<string, unknown>
  // A cell has a flag with the name of the table's first row.
  const inside = [tokens, items, header, rows].filter(Array.isArray).flat(2) as Token[]
  if (inside.length === 0) return 'text' in token ? String(token.text) : ' '
  const separator = tokens === undefined ? ' ' : ''
  return inside.map(plainText).join(separator)
}
