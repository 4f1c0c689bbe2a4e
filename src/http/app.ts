// The HTTP edge, composed. Everything that knows Fastify is in this folder.

import { createServer as createHttpServer, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Db } from '../postgres/database.ts'
import { newUuid, toTypeId } from '../primitives/ids.ts'
import { callerFinder } from '../sessions/find-caller.ts'
import { admitRequests } from './admission.ts'
import { answerOnSocket, handleErrors, rawResponse, sendError } from './errors.ts'
import { body_max_bytes, readJsonBodies } from './json-body.ts'
import { logRequests } from './log.ts'
import { measure } from './metrics.ts'
import { describeApi, serveApiDescription } from './openapi.ts'
import { parseQueryString, tidyUrl } from './query-string.ts'
import { accountRoutes } from './routes/accounts.ts'
import { faviconRoute } from './routes/favicon.ts'
import { healthRoutes } from './routes/health.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { setupRoutes } from './routes/setup.ts'
import { userRoutes } from './routes/users.ts'
import { validatorCompiler } from './validation.ts'

export interface AppParts {
  db: Db
  log: Logger
  config: Config
  version: string
  tls?: { cert: Buffer; key: Buffer }
}

// Node's guard against slow bodies is off while requestTimeout is 0, which is Fastify's default.
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 2_000,
}

export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { db, log, config } = parts
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger for each request would cost more than the one line that is written.
    childLoggerFactory: (logger) => logger,
    genReqId: () => toTypeId('request', newUuid(Date.now())),
    requestIdHeader: false,
    bodyLimit: body_max_bytes,
    rewriteUrl: (request) => tidyUrl(request.url ?? '/'),
    routerOptions: { maxParamLength: 8_192, querystringParser: parseQueryString },
    trustProxy: trustedProxies(config.trust_proxy),
    forceCloseConnections: 'idle',
    frameworkErrors: sendError,
    clientErrorHandler: answerOnSocket,
    serverFactory: (handler) => makeServer(handler, parts.tls),
  }) as unknown as FastifyInstance
  app.setValidatorCompiler(validatorCompiler)
  let serving = true
  app.addHook('preClose', async () => {
    serving = false
  })
  handleErrors(app)
  readJsonBodies(app)
  const findCaller = callerFinder(db)
  admitRequests(app, { findCaller, rate_limit: config.rate_limit })
  logRequests(app)
  const registry = measure(app, db)
  await describeApi(app, { version: parts.version, url: config.public_url })
  const passwords = { length_min: config.password_min, refuse_common: config.mode === 'live' }
  const who = { db, signup: config.signup, passwords }
  await app.register(sessionRoutes({ db }))
  await app.register(userRoutes(who))
  await app.register(accountRoutes(who))
  await app.register(healthRoutes({ db, registry, findCaller, isServing: () => serving }))
  const { public_url } = config
  await app.register(setupRoutes({ db, passwords, sandbox: config.mode === 'sandbox', public_url }))
  await app.register(faviconRoute)
  serveApiDescription(app)
  await app.ready()
  return app
}

// A number is how many proxies stand before Florin, a list is their networks.
function trustedProxies(setting: Config['trust_proxy']) {
  if (typeof setting !== 'number') return setting ?? false
  return (_address: string, hop: number) => hop <= setting
}

function makeServer(
  handler: (...args: never[]) => void,
  tls: { cert: Buffer; key: Buffer } | undefined,
): Server {
  const options = { ...timeouts, requireHostHeader: false, maxHeaderSize: 16_384 }
  const server = tls
    ? (createHttpsServer({ ...options, ...tls }, handler as never) as unknown as Server)
    : createHttpServer(options, handler as never)
  // Node answers these two by itself, with an empty body or none at all.
  server.on('checkExpectation', (_request, response) => {
    response.socket?.end(rawResponse(417, 'The only expectation that can be met is 100-continue.'))
  })
  server.on('connect', (_request, socket) => {
    socket.end(
      rawResponse(405, 'CONNECT is not supported.', ['Allow: DELETE, GET, HEAD, PATCH, POST']),
    )
  })
  return server
}
