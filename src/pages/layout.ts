// The frame that every page stands in: head, sandbox band, content, foot.

import { html, type Markup, type Part } from '../primitives/markup.ts'
import { mark } from './mark.ts'
import { chooseLocalization, type Localization } from './payment-translations.ts'
import { style } from './style.ts'

export interface Layout {
  /** Of a page that has translations in other languages; the others are English. */
  localization?: Localization
  /** Shown in the tab, before "Florin". */
  title: string
  /** Says above all that no real money moves. */
  sandbox: boolean
  /** Two columns side by side where there is room, or a single one. */
  columns: 1 | 2
  content: Part
}

export function layout(given: Layout): Markup {
  const { localization = english, title, sandbox, columns, content } = given
  const { translations, lang } = localization
  return html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Florin</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${style}</style>
</head>
<body>
${sandbox && html`<header class="band">${translations.sandbox_band}</header>`}
<main${columns === 1 && html` class="single"`}>
${content}
</main>
<footer>${translations.payments_by}</footer>
</body>
</html>
`
}

const english = chooseLocalization('en')

/** Who is speaking, at the head of a page's first column. */
export function florin(): Markup {
  return html`<p class="who">${mark(40)}Florin</p>`
}
