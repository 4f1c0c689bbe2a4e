// The style sheet and the script of the payment page.

import type { FastifyPluginAsync } from 'fastify'
import { type PaymentAsset, paymentScript, paymentStyle } from '../../pages/payment-assets.ts'
import { sendDocument } from '../send-document.ts'

const options = {
  config: { access: { token: 'never' }, quiet: true },
  schema: { hide: true },
} as const

// A year is the most that the standard allows for. Another version's page gets today's file, and
// must not keep it under that version's name.
const kept = 'public, max-age=31536000, immutable'
const asked_again = 'no-cache'

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
  return version === asset.version ? kept : asked_again
}
