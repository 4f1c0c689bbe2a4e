// Composes the HTTP layer. All code that depends on Fastify is in this folder.

import Fastify, { type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { callerFinder } from '../identity/sessions/find-caller.ts'
import { findLive } from '../identity/sessions/key-tokens.ts'
import type { LaneOptions } from '../lanes/account-lanes.ts'
import { PaymentLanes } from '../payments/lanes.ts'
import { paymentRequests } from '../payments/refunds.ts'
import type { Db } from '../postgres/database.ts'
import { newRealTimeUuid, toTypeId } from '../primitives/ids.ts'
import { chooseProcessor, takesCards } from '../processors/processor.ts'
import { SubscriptionLanes } from '../subscriptions/lanes.ts'
import { TransactionLanes } from '../transactions/lanes.ts'
import { addressPolicy } from '../webhooks/address-policy.ts'
import { admitRequests } from './admission.ts'
import { hostCheck } from './allowed-hosts.ts'
import { apiAddress } from './dashboard-edge.ts'
import { enforceDeadline } from './deadline.ts'
import { handleErrors, sendError } from './errors.ts'
import { EventStreams } from './event-streams.ts'
import { signUpLimit } from './hashing-client.ts'
import { HealthHistory } from './health-history.ts'
import { makeServer, respondOnSocket } from './http-server.ts'
import { handleIdempotencyKeys } from './idempotency.ts'
import { body_max_bytes, readJsonBodies } from './json-body.ts'
import { recordKeyUses } from './key-uses.ts'
import { KnownPaths } from './known-paths.ts'
import { logRequests } from './log.ts'
import { setUpMetrics } from './metrics.ts'
import { rejectUnknownParameters } from './openapi/contract.ts'
import { describeApi, serveApiDescription } from './openapi/openapi.ts'
import { normalizeUrl, parseQueryString } from './query-string.ts'
import { recordRequests } from './record-requests.ts'
import { ResponseEnds } from './response-ends.ts'
import { accountRoutes } from './routes/accounts.ts'
import { adminRoutes } from './routes/admin.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { balanceRoutes } from './routes/balance.ts'
import { clockRoutes } from './routes/clock.ts'
import { confirmEmailRoutes } from './routes/confirm-email.ts'
import { dashboardRoutes } from './routes/dashboard.ts'
import { docsRoutes } from './routes/docs.ts'
import { emailRoutes } from './routes/emails.ts'
import { eventRoutes } from './routes/events.ts'
import { faviconRoute } from './routes/favicon.ts'
import { handbookRoutes } from './routes/handbook.ts'
import { healthRoutes } from './routes/health.ts'
import { listCountRoutes } from './routes/list-counts.ts'
import { payRoutes } from './routes/pay.ts'
import { paymentAssetRoutes } from './routes/payment-assets.ts'
import { paymentRoutes } from './routes/payments.ts'
import { postingRoutes } from './routes/postings.ts'
import { refundRoutes } from './routes/refunds.ts'
import { reportRoutes } from './routes/reports.ts'
import { requestLogRoutes } from './routes/request-logs.ts'
import { searchRoutes } from './routes/search.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { setupRoutes } from './routes/setup.ts'
import { subscriptionRoutes } from './routes/subscriptions.ts'
import { transactionRoutes } from './routes/transactions.ts'
import { userRoutes } from './routes/users.ts'
import { webhookDeliveryRoutes } from './routes/webhook-deliveries.ts'
import { webhookRoutes } from './routes/webhooks.ts'
import { buildSerializer } from './serialization.ts'
import { Shedding } from './shedding.ts'
import { validatorCompiler } from './validation.ts'

export interface AppParts {
  db: Db
  log: Logger
  config: Config
  version: string
  tls?: { cert: Buffer; key: Buffer }
  /** Overrides the default lane limits. */
  lane_options?: LaneOptions
}

export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { db, log, config, lane_options } = parts
  const { public_url } = config
  const shedding = new Shedding(log)
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger per request would cost more than the single line that it writes.
    childLoggerFactory: (logger) => logger,
    genReqId: () => toTypeId('request', newRealTimeUuid(Date.now())),
    requestIdHeader: false,
    bodyLimit: body_max_bytes.ordinary,
    rewriteUrl: (request) => normalizeUrl(apiAddress(request.url ?? '/')),
    // Admission rejects long URLs. The router's own limit would apply first, with a
    // different error.
    routerOptions: { maxParamLength: 65_536, querystringParser: parseQueryString },
    trustProxy: trustedProxies(config.trust_proxy),
    forceCloseConnections: 'idle',
    // Fastify's own 503 has a different format. Requests that arrive while the server drains
    // are served, with Connection: close.
    return503OnClosing: false,
    frameworkErrors: sendError,
    clientErrorHandler: respondOnSocket,
    schemaController: { compilersFactory: { buildSerializer } },
    serverFactory: (handler) => makeServer(handler, parts.tls, shedding),
  }) as unknown as FastifyInstance
  app.setValidatorCompiler(validatorCompiler)
  let serving = true
  const streams = new EventStreams({
    db,
    findLive: (hashes) => findLive(db, hashes),
    onError: (err) => log.warn({ err }, 'closed event streams: the database is unavailable'),
  })
  app.addHook('preClose', async () => {
    serving = false
    // Streams never end by themselves, and shutdown waits for requests in flight.
    streams.close()
  })
  const paths = new KnownPaths(app)
  rejectUnknownParameters(app)
  shedding.watch(app)
  handleErrors(app, paths)
  enforceDeadline(app)
  readJsonBodies(app)
  const findCaller = callerFinder(db.reserved)
  const lanes = new TransactionLanes(db.reserved, lane_options, paymentRequests(public_url))
  const payment_lanes = new PaymentLanes(db.reserved, public_url, lane_options)
  const subscription_lanes = new SubscriptionLanes(db.reserved, public_url, lane_options)
  const lanes_of = {
    transactions: lanes,
    payments: payment_lanes,
    subscriptions: subscription_lanes,
  }
  shedding.countBlocked = () =>
    lanes.in_waiting_lanes + payment_lanes.in_waiting_lanes + subscription_lanes.in_waiting_lanes
  admitRequests(app, {
    db,
    public_url,
    findCaller,
    paths,
    rate_limit: config.rate_limit,
    signup: config.signup,
    mode: config.mode,
    areLanesFull: (noun) => lanes_of[noun].areFull(),
    servesHost: hostCheck(config),
  })
  handleIdempotencyKeys(app, db)
  const ends = new ResponseEnds(app)
  recordKeyUses(app, ends, db)
  logRequests(log, ends)
  const { registry, seconds } = setUpMetrics(ends, db, lanes_of)
  const sandbox = config.mode === 'sandbox'
  recordRequests(app, ends, { db, registry, with_bodies: sandbox })
  const history = new HealthHistory({ db, seconds, lanes: lanes_of })
  app.addHook('onListen', async () => history.start())
  app.addHook('onClose', async () => history.stop())
  await describeApi(app, { version: parts.version, url: public_url })
  const passwords = { length_min: config.password_min, reject_common: config.mode === 'live' }
  const countSignUp = signUpLimit(config.rate_limit !== undefined)
  const who = { db, passwords, countSignUp, public_url }
  await app.register(sessionRoutes({ db }))
  await app.register(userRoutes(who))
  const email_change_policy = sandbox ? 'at_once' : ({ confirmed_under: public_url } as const)
  await app.register(accountRoutes({ ...who, email_change_policy }))
  await app.register(balanceRoutes({ db }))
  await app.register(eventRoutes({ db, streams }))
  await app.register(requestLogRoutes({ db }))
  await app.register(apiKeyRoutes({ db, mode: config.mode }))
  const processor = chooseProcessor(config)
  const money = { db, lanes, payment_lanes, subscription_lanes, processor }
  await app.register(reportRoutes({ db, processor }))
  await app.register(transactionRoutes(money))
  await app.register(postingRoutes({ db }))
  await app.register(listCountRoutes({ db }))
  await app.register(refundRoutes({ db }))
  await app.register(paymentRoutes(money))
  await app.register(subscriptionRoutes(money))
  if (sandbox) await app.register(clockRoutes(money))
  await app.register(webhookRoutes({ db, open: addressPolicy(config) }))
  await app.register(webhookDeliveryRoutes({ db }))
  await app.register(emailRoutes(db, { sandbox, takes_cards: takesCards(processor) }))
  await app.register(
    adminRoutes({
      db,
      history,
      version: parts.version,
      mode: config.mode,
      sends_email: config.smtp !== undefined,
    }),
  )
  await app.register(searchRoutes({ db }))
  await app.register(healthRoutes({ db, registry, findCaller, isServing: () => serving }))
  await app.register(setupRoutes({ db, passwords, sandbox, public_url }))
  await app.register(confirmEmailRoutes({ db, sandbox }))
  const { payment_instructions } = config
  const base_path = new URL(public_url).pathname.replace(/\/$/, '')
  await app.register(payRoutes({ ...money, sandbox, base_path, payment_instructions }))
  await app.register(
    dashboardRoutes({
      db,
      public_url,
      findCaller,
      sandbox,
      takes_cards: takesCards(processor),
      password_min: config.password_min,
      version: parts.version,
    }),
  )
  await app.register(faviconRoute)
  await app.register(paymentAssetRoutes)
  await app.register(docsRoutes)
  await app.register(handbookRoutes({ public_url }))
  serveApiDescription(app)
  await app.ready()
  return app
}

// A number counts the proxies in front of Florin; a list names their networks. Hop 0 is the
// direct peer. Addresses beyond the last trusted proxy are unverified claims.
function trustedProxies(setting: Config['trust_proxy']) {
  if (typeof setting !== 'number') return setting ?? false
  return (_address: string, hop: number) => hop < setting
}
