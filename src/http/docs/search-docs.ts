// Full-text search over the documentation and the API reference, on the server: a few hundred
// kilobytes are searched in about a millisecond, and the page works without a script.

import { html, type Markup } from '../../primitives/markup.ts'
import type { Page } from '../openapi/pages.ts'
import type { ApiTag } from './api-pages.ts'
import { htmlPath, renderMarkdown } from './render-markdown.ts'

interface Entry {
  path: string
  page: string
  /** Undefined for the beginning of a page. */
  heading: string | undefined
  text: string
  /** Lower case, to search in. */
  title_words: string
  text_words: string
  /** Pages for users rank above pages for developers of Florin. */
  weight: number
}

interface Found {
  entry: Entry
  score: number
}

const results_max = 30
const words_max = 8

export function buildIndex(pages: Page[], tags: ApiTag[]): Entry[] {
  return [...pages.flatMap(entriesOfPage), ...tags.flatMap(entriesOfTag)]
}

function entriesOfPage({ text, path, title, folder }: Page): Entry[] {
  const weight = folder === 'decisions' ? 1 : folder === 'guides' ? 3 : 2
  return renderMarkdown(text, path).sections.map(({ heading, text }) => {
    const at = htmlPath(path) + (heading === undefined ? '' : `#${heading.id}`)
    return entry({ path: at, page: title, heading: heading?.text, text, weight })
  })
}

function entriesOfTag({ name, path, operations }: ApiTag): Entry[] {
  return operations.map(({ id, method, path: url, summary, description }) =>
    entry({
      path: `${path}#${id}`,
      page: `API: ${name}`,
      heading: summary,
      text: `${method} ${url}. ${description}`,
      weight: 2,
    }),
  )
}

function entry(facts: Omit<Entry, 'title_words' | 'text_words'>): Entry {
  const text = facts.text.replaceAll(/\s+/g, ' ').trim()
  const title_words = `${facts.page} ${facts.heading ?? ''}`.toLowerCase()
  return { ...facts, text, title_words, text_words: text.toLowerCase() }
}

/** Every word must occur. A word in a heading counts more than one in the text. */
export function searchDocs(index: Entry[], query: string): Entry[] {
  const words = wordsOf(query)
  if (words.length === 0) return []
  const found = index.flatMap((entry): Found[] => {
    const score = scoreOf(entry, words)
    return score === 0 ? [] : [{ entry, score }]
  })
  const ranked = found.sort((a, b) => b.score - a.score)
  return ranked.slice(0, results_max).map(({ entry }) => entry)
}

function wordsOf(query: string): string[] {
  const words = query.toLowerCase().split(/[^\p{L}\p{N}_./-]+/u)
  return [...new Set(words.filter((word) => word !== ''))].slice(0, words_max)
}

function scoreOf({ title_words, text_words, heading, weight }: Entry, words: string[]): number {
  let score = 0
  for (const word of words) {
    const in_title = title_words.includes(word)
    if (!in_title && !text_words.includes(word)) return 0
    score += in_title ? (heading === undefined ? 12 : 8) : 2
  }
  return score + weight
}

export function searchPage(query: string, found: Entry[]): Markup {
  const words = wordsOf(query)
  const count = found.length === 1 ? '1 result' : `${found.length} results`
  const result = ({ path, page, heading, text }: Entry) =>
    html`<li><a href="${path}">${heading ?? page}</a>
<p>${heading !== undefined && html`${page} · `}${excerpt(text, words)}</p></li>\n`
  const summary =
    words.length === 0
      ? html`<p class="lead">Type a word, such as "refund", "webhook" or "FLORIN_SMTP_URL".</p>`
      : html`<p class="lead" role="status">${found.length === 0 ? 'No results' : count} for
"${query}".${found.length === 0 && ' Check the spelling, or use fewer words.'}</p>`
  return html`<h1>Search</h1>
${summary}
${found.length > 0 && html`<ul class="found">\n${found.map(result)}</ul>`}`
}

const excerpt_length = 180

/** Text around the first match, with matches marked. */
function excerpt(text: string, words: string[]): Markup[] {
  const lower = text.toLowerCase()
  const matches = words.map((word) => lower.indexOf(word)).filter((at) => at !== -1)
  const first = matches.length === 0 ? 0 : Math.min(...matches)
  const start = first < 60 ? 0 : text.lastIndexOf(' ', first - 40) + 1
  const end = start + excerpt_length
  const shown = `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`
  const pattern = new RegExp(`(${words.map(escapePattern).join('|')})`, 'gi')
  return shown
    .split(pattern)
    .map((part, at) => (at % 2 ? html`<mark>${part}</mark>` : html`${part}`))
}

function escapePattern(word: string): string {
  return word.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)
}
