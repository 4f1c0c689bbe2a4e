// The HTML error page: what went wrong, and what to do next.

import { html, type Markup } from '../primitives/markup.ts'
import { florin, layout } from './layout.ts'

interface ErrorPage {
  status: number
  /** The API error message. Shown unless the status has dedicated text below. */
  message: string
  request_id: string
}

const texts: Record<number, [heading: string, sentence?: string]> = {
  404: ['Page not found', 'Check the address. Part of it may be missing.'],
  413: ['Request too large'],
  429: ['Too many requests', 'Wait a few seconds, then try again.'],
  500: [
    'Something went wrong',
    'An internal error occurred. Contact the operator and include the Request-Id below.',
  ],
  503: ['Florin is temporarily unavailable'],
}

export function errorPage({ status, message, request_id }: ErrorPage): Markup {
  const [heading, sentence = message] = texts[status] ?? ['This request failed']
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
