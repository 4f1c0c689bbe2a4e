import type { FastifyPluginAsync } from 'fastify'
import { favicon } from '../../pages/mark.ts'

const options = {
  config: { access: { token: 'uncounted' }, quiet: true },
  schema: { hide: true },
} as const

/** The mark in the tab of the browser. It holds no secret, so a browser may keep it for a day. */
export const faviconRoute: FastifyPluginAsync = async (app) => {
  app.get('/favicon.svg', options, (_, reply) => {
    reply.header('cache-control', 'public, max-age=86400').type('image/svg+xml').send(favicon)
  })
}
