// The documentation site: which pages there are, in which order, and their HTML. Pages are
// rendered when they are first requested.

import { type DocsGroup, docsFrame } from '../../pages/docs-frame.ts'
import { html, type Markup } from '../../primitives/markup.ts'
import type { Folder, Page } from '../openapi/pages.ts'
import { htmlPath, renderMarkdown } from './render-markdown.ts'

/** Guides in the order in which a newcomer needs them. Others follow by name. */
const guide_order = [
  'quickstart',
  'get-paid',
  'install',
  'move-money',
  'transfer-between-accounts',
  'pay-out',
  'accounting',
  'test-clock',
  'brand-your-payment-page',
  'return-to-your-site',
  'keys-and-scopes',
  'secure-your-account',
  'oidc-login',
  'receive-webhooks',
  'use-the-sdk',
  'other-languages',
  'command-line',
  'ai-agents',
  'take-cards-with-stripe',
  'take-payments-with-mollie',
  'bank-transfers',
  'import-bank-statements',
  'reconcile',
  'go-live',
  'monitoring',
  'high-availability',
  'upgrade',
  'grow-with-citus',
  'back-up-and-restore',
]

/** The first guides are a separate group. */
const start_names = guide_order.slice(0, 2)

export function navigationOf(pages: Page[]): DocsGroup[] {
  const linksOf = (chosen: Page[]) =>
    chosen.map(({ path, title }) => ({ path: htmlPath(path), title }))
  const of = (folder: Folder) => pages.filter((page) => page.folder === folder)
  const guides = of('guides').sort((a, b) => rankOf(a) - rankOf(b) || (a.name < b.name ? -1 : 1))
  const isStart = ({ name }: Page) => start_names.includes(name)
  return [
    { title: 'Start here', links: linksOf(guides.filter(isStart)) },
    { title: 'Guides', links: linksOf(guides.filter((page) => !isStart(page))) },
    { title: 'Concepts', links: linksOf(of('concepts')) },
    {
      title: 'Reference',
      links: [
        ...linksOf(of('reference')),
        { path: '/docs/api', title: 'API reference' },
        { path: '/docs/decisions', title: 'Design decisions' },
      ],
    },
  ]
}

function rankOf({ name }: Page): number {
  const at = guide_order.indexOf(name)
  return at === -1 ? guide_order.length : at
}

/** A page of docs/, framed. */
export function docsPage(page: Page, navigation: DocsGroup[]): Markup {
  const { content, headings } = renderMarkdown(page.text, page.path)
  return docsFrame({
    title: page.title,
    path: htmlPath(page.path),
    part: 'guides',
    navigation,
    content,
    contents: headings,
    markdown: page.path,
  })
}

/** The page at /docs. */
export function docsIndex(pages: Page[], navigation: DocsGroup[]): Markup {
  const summaries = new Map(pages.map(({ path, summary }) => [htmlPath(path), summary]))
  const card = ({ path, title }: DocsGroup['links'][number]) =>
    html`<li><a href="${path}"><b>${title}</b>${plain(summaries.get(path) ?? '')}</a></li>\n`
  const [start, guides, ...others] = navigation
  const [first, ...more] = start!.links
  const groups = [{ ...guides!, links: [...more, ...guides!.links] }, ...others]
  const content = html`<h1>Florin documentation</h1>
<p class="lead">Florin is a self-hosted payments back end: accounts, a double-entry ledger, payment
requests with a hosted payment page, subscriptions and webhooks.</p>
<a class="start" href="${first!.path}"><div><b>${first!.title}</b>${plain(
    summaries.get(first!.path) ?? '',
  )}</div><span aria-hidden="true">→</span></a>
${groups.map(
  ({ title, links }) => html`<h2>${title}</h2>
<ul class="cards">
${links.map(card)}</ul>
`,
)}`
  return docsFrame({ title: 'Documentation', path: '/docs', part: 'guides', navigation, content })
}

/** A summary without the backticks of Markdown. */
function plain(summary: string): string {
  return summary.replaceAll('`', '')
}
