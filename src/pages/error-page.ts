// What a reader of a page sees when something goes wrong: what happened, and what to do.

import { html, type Markup } from './html.ts'
import { florin, layout } from './layout.ts'

export interface ErrorPage {
  status: number
  /** A sentence or two, the same that an API caller would get. */
  message: string
  request_id: string
}

const headings: Record<number, string> = {
  404: 'Nothing is here',
  429: 'Too many tries',
  500: 'Something went wrong',
  503: 'Florin cannot answer right now',
}

export function errorPage({ status, message, request_id }: ErrorPage): Markup {
  const heading = headings[status] ?? 'This request cannot be met'
  return layout({
    title: heading,
    sandbox: false,
    columns: 1,
    content: html`<section>
${florin()}
<h1>${heading}</h1>
<p class="lead">${message}</p>
<dl class="facts">
<div><dt>Status</dt><dd>${status}</dd></div>
<div><dt>Request-Id</dt><dd class="id">${request_id}</dd></div>
</dl>
</section>`,
  })
}
