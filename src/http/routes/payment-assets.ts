// The style sheet and script of the payment page.

import type { FastifyPluginAsync } from 'fastify'
import { type PaymentAsset, paymentScript, paymentStyle } from '../../pages/payment-assets.ts'
import { sendDocument } from '../send-document.ts'

const options = {
  config: { access: { token: 'never' }, quiet: true },
  schema: { hide: true },
} as const

// The current version is cached for a year. A request for any other version gets the current
// file, which must not be cached under that version's URL.
const cached = 'public, max-age=31536000, immutable'
const revalidated = 'no-cache'

export const paymentAssetRoutes: FastifyPluginAsync = async (app) => {
  for (const asset of [paymentStyle, paymentScript]) {
    const document = { type: asset.type, bytes: Buffer.from(asset.text) }
    app.get<{ Querystring: { v?: unknown } }>(asset.path, options, (request, reply) => {
      reply.header('cache-control', cachingOf(asset, request.query.v))
      reply.header('cross-origin-resource-policy', 'same-origin')
      return sendDocument(request, reply, document)
    })
  }
}

function cachingOf(asset: PaymentAsset, version: unknown): string {
  return version === asset.version ? cached : revalidated
}
