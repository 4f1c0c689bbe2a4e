import type { FastifyPluginAsync } from 'fastify'
import { favicon } from '../../pages/mark.ts'
import { sendDocument } from '../send-document.ts'

const options = {
  config: { access: { token: 'never' }, quiet: true },
  schema: { hide: true },
} as const

/** The favicon. It contains no secret, so browsers may cache it for a day. */
export const faviconRoute: FastifyPluginAsync = async (app) => {
  const document = { type: 'image/svg+xml', bytes: Buffer.from(favicon) }
  app.get('/favicon.svg', options, (request, reply) =>
    sendDocument(request, reply.header('cache-control', 'public, max-age=86400'), document),
  )
}
