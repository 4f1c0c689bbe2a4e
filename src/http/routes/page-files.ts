// Files of the pages: the favicon, and the style sheet and script of the payment page.

import { favicon } from '../../pages/mark.ts'
import { type PaymentAsset, paymentScript, paymentStyle } from '../../pages/payment-assets.ts'
import { page } from '../route.ts'
import { sendDocument } from '../send-document.ts'

const file = { method: 'GET', access: { token: 'never' }, quiet: true } as const
const faviconDocument = { type: 'image/svg+xml', bytes: Buffer.from(favicon) }

/** It contains no secret, so browsers may cache it for a day. */
export const faviconRoute = page({
  ...file,
  url: '/favicon.svg',
  handler: (request, _, reply) =>
    sendDocument(request, reply.header('cache-control', 'public, max-age=86400'), faviconDocument),
})

export const paymentStyleRoute = assetRoute(paymentStyle)
export const paymentScriptRoute = assetRoute(paymentScript)

export const pageFileRoutes = [faviconRoute, paymentStyleRoute, paymentScriptRoute]

function assetRoute(asset: PaymentAsset) {
  const document = { type: asset.type, bytes: Buffer.from(asset.text) }
  return page({
    ...file,
    url: asset.path,
    handler: (request, _, reply) => {
      const { v } = request.query as { v?: unknown }
      reply.header('cache-control', v === asset.version ? cached : revalidated)
      reply.header('cross-origin-resource-policy', 'same-origin')
      return sendDocument(request, reply, document)
    },
  })
}

// The current version is cached for a year. A request for any other version gets the current
// file, which must not be cached under that version's URL.
const cached = 'public, max-age=31536000, immutable'
const revalidated = 'no-cache'
