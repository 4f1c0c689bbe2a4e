// Serves payment pages to a browser with their real headers, but without a back end: each view has
// its path, and the test decides the response to each submitted form.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { favicon } from '../../src/pages/mark.ts'
import { paymentPagePolicy, paymentScript, paymentStyle } from '../../src/pages/payment-assets.ts'
import { allowAccent } from '../../src/pages/payment-brand.ts'
import { paymentPage } from '../../src/pages/payment-page.ts'
import type { PaymentView } from '../../src/pages/payment-view.ts'
import { png } from '../accounts/branding/images.ts'
import { logo_path } from './payment-views.ts'

interface PaymentServer {
  url: string
  /** Sets the view shown at a path. */
  show(path: string, view: PaymentView): void
  /** Called with each submitted form. The returned view is shown; undefined sends no response. */
  onForm(respond: (fields: Record<string, string>, path: string) => PaymentView | undefined): void
  close(): Promise<void>
}

export async function servePaymentPages(): Promise<PaymentServer> {
  const views = new Map<string, PaymentView>()
  let respondToForm: Parameters<PaymentServer['onForm']>[0] = () => undefined
  const server = createServer(async (request, response) => {
    const path = request.url!.split('?')[0]!
    const view =
      request.method === 'POST' ? respondToForm(await readFields(request), path) : views.get(path)
    const asset = files.find((one) => one.path === path)
    if (asset !== undefined) send(response, asset.type, asset.text)
    else if (view !== undefined) sendView(response, view)
    else if (request.method !== 'POST') response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    show: (path, view) => views.set(path, view),
    onForm: (respond) => {
      respondToForm = respond
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const files = [
  paymentStyle,
  paymentScript,
  { path: '/favicon.svg', type: 'image/svg+xml', text: favicon },
  { path: logo_path, type: 'image/png', text: png(320, 100) },
]

function sendView(response: ServerResponse, view: PaymentView): void {
  const accent = 'brand' in view ? view.brand.accent : null
  const policy = allowAccent(paymentPagePolicy, accent)
  send(response, 'text/html; charset=utf-8', paymentPage(view), policy)
}

function send(
  response: ServerResponse,
  type: string,
  text: string | Buffer,
  policy = paymentPagePolicy,
): void {
  response
    .writeHead(200, {
      'content-type': type,
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
    })
    .end(text)
}

async function readFields(request: IncomingMessage): Promise<Record<string, string>> {
  let text = ''
  for await (const chunk of request) text += chunk
  return Object.fromEntries(new URLSearchParams(text))
}
