// The layout of every page except the payment page: head, sandbox banner, content, footer.

import { html, type Markup, type Part } from '../primitives/markup.ts'
import { type Localization, localizationFor } from '../translations/localization.ts'
import { mark } from './mark.ts'
import { style } from './style.ts'

interface Layout {
  /** Set on translated pages. Other pages are in English. */
  localization?: Localization
  /** The document title, before "· Florin". */
  title: string
  /** Shows the banner that no real money moves. */
  sandbox: boolean
  /** Two columns collapse into one on narrow screens. */
  columns: 1 | 2
  /** The URL of a script. Needs sendScriptedPage, which allows it. */
  script?: string
  content: Part
}

export function layout(options: Layout): Markup {
  const { localization = english, title, sandbox, columns, script, content } = options
  const { payment_page: translations, labels, lang } = localization
  return html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Florin</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${style}</style>
${script && html`<script src="${script}" defer></script>\n`}</head>
<body>
${sandbox && html`<header class="band">${labels.sandbox}</header>`}
<main${columns === 1 && html` class="single"`}>
${content}
</main>
<footer>${translations.payments_by}</footer>
</body>
</html>
`
}

const english = localizationFor('en')

/** The Florin logo and name, at the top of a page's first column. */
export function florin(): Markup {
  return html`<p class="who">${mark(40)}Florin</p>`
}
