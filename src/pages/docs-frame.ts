// The frame of the documentation: header with search, navigation, content, contents of the page,
// previous and next. It works without its script, which adds copy buttons.

import { html, type Markup, type Part } from '../primitives/markup.ts'
import { asset } from './asset.ts'
import { mark } from './mark.ts'

export const docsStyle = asset('/docs.css', 'text/css; charset=utf-8', [
  'tokens.css',
  'docs.css',
  'docs-api.css',
])
export const docsScript = asset('/docs.js', 'text/javascript; charset=utf-8', ['docs.js'])

/** Nothing inline and nothing from other origins. */
export const docsPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

interface DocsLink {
  path: string
  title: string
  /** A part of the page before it. */
  is_part?: boolean
}

export interface DocsGroup {
  title: string
  links: DocsLink[]
}

interface DocsPage {
  title: string
  /** The path of this page, which is marked in the navigation. */
  path: string
  part: 'guides' | 'api'
  navigation: DocsGroup[]
  content: Part
  /** Headings of the page; shown next to the content on wide screens. */
  contents?: { id: string; text: string; depth: number }[]
  /** The Markdown version of the page. */
  markdown?: string
  /** Text of the search field. */
  query?: string
}

export function docsFrame(page: DocsPage): Markup {
  const { title, content, contents = [] } = page
  const has_contents = contents.length > 1
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Florin docs</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${docsStyle.url}">
<script src="${docsScript.url}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
${header(page)}
<div class="columns">
<nav class="side" aria-label="Pages">${navigation(page)}</nav>
<main id="content" tabindex="-1"${page.part === 'api' && html` class="wide"`}>
${content}
${neighbors(page)}
${footer(page)}
</main>
${has_contents && tableOfContents(contents)}
</div>
</body>
</html>
`
}

function header(page: DocsPage): Markup {
  const { part, query } = page
  const tab = (path: string, text: string, is_current: boolean) =>
    html`<a href="${path}"${is_current && html` class="current"`}>${text}</a>`
  return html`<header class="top">
<a class="brand" href="/docs">${mark(28)}Florin <span>docs</span></a>
<form class="search" action="/docs/search" role="search">
<input type="search" name="q" value="${query ?? ''}" placeholder="Search the docs"
 aria-label="Search the docs" maxlength="100" autocomplete="off">
<button>Search</button>
</form>
<nav class="tabs" aria-label="Sections">
${tab('/docs', 'Guides', part === 'guides')}
${tab('/docs/api', 'API', part === 'api')}
${tab('/dashboard', 'Dashboard', false)}
</nav>
<details class="menu"><summary>Menu</summary>
<nav aria-label="All pages">${navigation(page)}</nav>
</details>
</header>`
}

function navigation({ navigation, path }: DocsPage): Markup[] {
  return navigation.map(
    ({ title, links }) => html`<p>${title}</p>
<ul>
${links.map((link) => {
  const current = link.path === path && html` aria-current="page"`
  const below = link.is_part === true && html` class="below"`
  return html`<li${below}><a href="${link.path}"${current}>${link.title}</a></li>\n`
})}</ul>
`,
  )
}

function tableOfContents(contents: DocsPage['contents'] & object): Markup {
  const links = contents
    .filter(({ depth }) => depth <= 3)
    .map(
      ({ id, text, depth }) => html`<li class="depth-${depth}"><a href="#${id}">${text}</a></li>\n`,
    )
  return html`<nav class="contents" aria-labelledby="contents">
<p id="contents">On this page</p>
<ul>
${links}</ul>
</nav>`
}

/** Links to the pages before and after this one in the navigation. */
function neighbors({ navigation, path }: DocsPage): Markup | false {
  const links = navigation.flatMap((group) => group.links).filter((link) => !link.is_part)
  const at = links.findIndex((link) => link.path === path)
  if (at === -1) return false
  const [before, after] = [links[at - 1], links[at + 1]]
  return html`<nav class="neighbors" aria-label="Previous and next page">
${before && html`<a rel="prev" href="${before.path}"><small>Previous</small>${before.title}</a>`}
${after && html`<a rel="next" href="${after.path}"><small>Next</small>${after.title}</a>`}
</nav>`
}

function footer({ markdown }: DocsPage): Markup {
  return html`<footer>
${markdown !== undefined && html`<a href="${markdown}">This page as Markdown</a>`}
<a href="/llms.txt">llms.txt</a>
<a href="/openapi.json">OpenAPI</a>
</footer>`
}
