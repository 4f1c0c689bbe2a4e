// What a reader of a page sees when something goes wrong: what happened, and what to do.

import { html, type Markup } from '../primitives/markup.ts'
import { florin, layout } from './layout.ts'

export interface ErrorPage {
  status: number
  /** A sentence or two, the same that an API caller would get; a page may know a better one. */
  message: string
  request_id: string
}

const words: Record<number, [heading: string, sentence?: string]> = {
  404: ['Nothing is here', 'Check the address. A part of it may be missing.'],
  413: ['That is too much'],
  429: ['Too many tries', 'Wait a few seconds, then try again.'],
  500: [
    'Something went wrong',
    'This is a fault of Florin. Tell its operator the Request-Id below.',
  ],
  503: ['Florin cannot response right now'],
}

export function errorPage({ status, message, request_id }: ErrorPage): Markup {
  const [heading, sentence = message] = words[status] ?? ['This request cannot be met']
  return layout({
    title: heading,
    sandbox: false,
    columns: 1,
    content: html`<section>
${florin()}
<h1>${heading}</h1>
<p class="lead">${sentence}</p>
<dl class="facts">
<div><dt>Status</dt><dd>${status}</dd></div>
<div><dt>Request-Id</dt><dd class="id">${request_id}</dd></div>
</dl>
</section>`,
  })
}
