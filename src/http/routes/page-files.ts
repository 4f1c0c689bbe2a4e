// Files of the pages: the favicon, robots.txt, style sheets and scripts.

import type { Asset } from '../../pages/asset.ts'
import { docsScript, docsStyle } from '../../pages/docs-frame.ts'
import { favicon, faviconIco } from '../../pages/mark.ts'
import { paymentScript, paymentStyle } from '../../pages/payment-assets.ts'
import { signUpScript } from '../../pages/sign-up-page.ts'
import { page } from '../route.ts'
import { sendDocument } from '../send-document.ts'

const file = { method: 'GET', access: { token: 'never' }, quiet: true } as const
const icoDocument = { type: 'image/x-icon', bytes: faviconIco }
const faviconDocument = { type: 'image/svg+xml', bytes: Buffer.from(favicon) }

/** It contains no secret, so browsers may cache it for a day. */
export const faviconRoute = page({
  ...file,
  url: '/favicon.svg',
  handler: (request, _, reply) =>
    sendDocument(request, reply.header('cache-control', 'public, max-age=86400'), faviconDocument),
})

/** Browsers request it for documents without a link to an icon, such as JSON. */
export const faviconIcoRoute = page({
  ...file,
  url: '/favicon.ico',
  handler: (request, _, reply) =>
    sendDocument(request, reply.header('cache-control', 'public, max-age=86400'), icoDocument),
})

// Links to all other pages are secrets or need a login. Crawlers that ignore this file still
// get "noindex" with each page.
const robots = ['User-agent: *', 'Allow: /$', 'Allow: /docs', 'Disallow: /', ''].join('\n')
const robotsDocument = { type: 'text/plain; charset=utf-8', bytes: Buffer.from(robots) }

export const robotsRoute = page({
  ...file,
  url: '/robots.txt',
  handler: (request, _, reply) =>
    sendDocument(request, reply.header('cache-control', 'public, max-age=86400'), robotsDocument),
})

export const paymentStyleRoute = assetRoute(paymentStyle)
export const paymentScriptRoute = assetRoute(paymentScript)
export const signUpScriptRoute = assetRoute(signUpScript)

export const docsStyleRoute = assetRoute(docsStyle)
export const docsScriptRoute = assetRoute(docsScript)

export const pageFileRoutes = [
  faviconRoute,
  faviconIcoRoute,
  robotsRoute,
  paymentStyleRoute,
  paymentScriptRoute,
  signUpScriptRoute,
  docsStyleRoute,
  docsScriptRoute,
]

function assetRoute(asset: Asset) {
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
