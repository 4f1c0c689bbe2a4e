// Runs in a worker thread started by reference.ts: builds the page and script of the API
// reference with Scalar's plugin and posts both back.

import { readFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import scalar from '@scalar/fastify-api-reference'
import fastify from 'fastify'
import { nonce_placeholder, type Reference } from './reference.ts'

const style = readFileSync(new URL('../../pages/reference.css', import.meta.url), 'utf8')

const configuration = {
  url: '/openapi.json',
  // Absolute, so that /docs and /docs/ load the same file.
  cdn: '/docs/scalar.js',
  nonce: nonce_placeholder,
  pageTitle: 'API reference · Florin',
  favicon: '/favicon.svg',
  theme: 'none',
  customCss: style,
  // Disables everything that would contact a third party. The content security policy is the
  // second line of defense.
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  persistAuth: false,
  externalUrls: { dashboardUrl: '', registryUrl: '', proxyUrl: '', apiBaseUrl: '' },
  documentDownloadType: 'json',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  defaultOpenAllTags: true,
  orderSchemaPropertiesBy: 'preserve',
} as const

const app = fastify()
await app.register(scalar, { routePrefix: '/docs', configuration })
const page = await app.inject('/docs/')
const script = await app.inject('/docs/js/scalar.js')
const reference: Reference = { page: page.body, script_gzip: gzipSync(script.rawPayload) }
parentPort?.postMessage(reference)
