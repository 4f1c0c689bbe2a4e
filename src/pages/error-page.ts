// The HTML error page: what went wrong, and what to do next.

import { html, type Markup } from '../primitives/markup.ts'
import { florin, layout } from './layout.ts'

interface ErrorPage {
  status: number
  /** The API error message. Shown unless the status has dedicated text below. */
  message: string
  request_id: string
  /** A customer sees the page. The start page is for users of Florin, so there is no link to it. */
  is_payer: boolean
}

const texts: Record<number, [heading: string, sentence?: string]> = {
  400: ['This request is not valid'],
  403: ['This request was rejected'],
  404: ['Page not found', 'Check the address. Part of it may be missing.'],
  405: ['This page does not support this action'],
  408: ['The request took too long'],
  413: ['Request too large'],
  414: ['This address is too long'],
  415: ['This page does not accept this form'],
  421: ['Wrong host'],
  429: ['Too many requests', 'Wait a few seconds, then try again.'],
  500: [
    'Something went wrong',
    'An internal error occurred. Contact the operator and include the Request-Id below.',
  ],
  503: ['Florin is temporarily unavailable'],
}

export function errorPage({ status, message, request_id, is_payer }: ErrorPage): Markup {
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
${!is_payer && html`<p class="away"><a href="/">Go to the start page</a></p>`}
</section>`,
  })
}
