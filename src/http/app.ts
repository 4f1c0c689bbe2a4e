// Composes the HTTP layer. All code that depends on Fastify is in this folder.

import Fastify, { type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { KeyUses } from '../identity/api-keys/key-uses.ts'
import { callerFinder, type FindCaller } from '../identity/sessions/find-caller.ts'
import { findLive } from '../identity/sessions/key-tokens.ts'
import type { LaneOptions } from '../lanes/account-lanes.ts'
import type { Db } from '../postgres/database.ts'
import { newRealTimeUuid, toTypeId } from '../primitives/ids.ts'
import { openProcessor } from '../processors/processor.ts'
import { openTracing, type Tracing } from '../tracing/open-tracing.ts'
import { admitRequests } from './admission.ts'
import { addAllRoutes } from './all-routes.ts'
import { hostCheck } from './allowed-hosts.ts'
import { apiAddress } from './dashboard-edge.ts'
import { enforceDeadline } from './deadline.ts'
import { handleErrors, sendError } from './errors.ts'
import { EventStreams } from './event-streams.ts'
import { HealthHistory } from './health-history.ts'
import { makeServer, respondOnSocket } from './http-server.ts'
import { handleIdempotencyKeys } from './idempotency.ts'
import { body_max_bytes, readJsonBodies } from './json-body.ts'
import { KnownPaths } from './known-paths.ts'
import { logRequests } from './log.ts'
import { measureWork } from './measure-work.ts'
import { setUpMetrics } from './metrics.ts'
import { rejectUnknownParameters } from './openapi/contract.ts'
import { describeApi, serveApiDescription } from './openapi/openapi.ts'
import { normalizeUrl, parseQueryString } from './query-string.ts'
import { recordRequests } from './record-requests.ts'
import { ResponseEnds } from './response-ends.ts'
import { buildContext, type Lanes, openLanes } from './route-context.ts'
import { buildSerializer } from './serialization.ts'
import { Shedding } from './shedding.ts'
import { endSpans, measureSpans, traceRequests } from './trace-requests.ts'
import { validatorCompiler } from './validation.ts'

interface AppParts {
  db: Db
  log: Logger
  config: Config
  version: string
  tls?: { cert: Buffer; key: Buffer }
  /** Overrides the default lane limits. */
  lane_options?: LaneOptions
}

export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { db, log, config, version } = parts
  const { public_url } = config
  const shedding = new Shedding(log)
  const app = newFastify(parts, shedding)
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
  const tracing = openTracing(config.traces, { kind: 'server', version, log })
  const tracer = tracing?.tracer
  if (tracing !== undefined) traceRequests(app, tracing)
  const processor = await openProcessor(config, tracer)
  const lanes = openLanes(db, public_url, processor, tracer, parts.lane_options)
  const findCaller = callerFinder(db.reserved)
  admit(app, parts, { shedding, lanes, findCaller })
  const { registry, history } = observe(app, parts, lanes, tracing)
  await describeApi(app, { version, url: public_url })
  const isServing = () => serving
  const server = { db, version, processor, findCaller, streams, registry, history, isServing }
  await addAllRoutes(app, buildContext(server, lanes, config))
  serveApiDescription(app)
  await app.ready()
  return app
}

function newFastify({ log, config, tls }: AppParts, shedding: Shedding): FastifyInstance {
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
    serverFactory: (handler) => makeServer(handler, tls, shedding),
  }) as unknown as FastifyInstance
  app.setValidatorCompiler(validatorCompiler)
  return app
}

/** The hooks that decide whether a request reaches its handler, in the order of the checks. */
function admit(
  app: FastifyInstance,
  { db, config }: AppParts,
  { shedding, lanes, findCaller }: { shedding: Shedding; lanes: Lanes; findCaller: FindCaller },
): void {
  const { transactions, payments, subscriptions } = lanes
  const paths = new KnownPaths(app)
  rejectUnknownParameters(app)
  shedding.watch(app)
  shedding.countBlocked = () =>
    transactions.in_waiting_lanes + payments.in_waiting_lanes + subscriptions.in_waiting_lanes
  handleErrors(app, paths)
  enforceDeadline(app)
  readJsonBodies(app)
  admitRequests(app, {
    db,
    public_url: config.public_url,
    findCaller,
    paths,
    rate_limit: config.rate_limit,
    signup: config.signup,
    mode: config.mode,
    areLanesFull: (noun) => lanes[noun].areFull(),
    servesHost: hostCheck(config),
  })
  handleIdempotencyKeys(app, db)
}

/** The hooks that record requests when their response ends. */
function observe(
  app: FastifyInstance,
  { db, log, config }: AppParts,
  lanes: Lanes,
  tracing: Tracing | undefined,
) {
  const ends = new ResponseEnds(app)
  recordKeyUses(app, ends, db)
  logRequests(log, ends)
  const { registry, seconds } = setUpMetrics(ends, db, lanes)
  measureWork(registry, db)
  recordRequests(app, ends, { db, registry, with_bodies: config.mode === 'sandbox' })
  if (tracing !== undefined) {
    endSpans(ends)
    measureSpans(registry, tracing)
  }
  const history = new HealthHistory({ db, seconds, lanes })
  app.addHook('onListen', async () => history.start())
  app.addHook('onClose', async () => history.stop())
  return { registry, history }
}

// Records when each API key was last used. Rejected requests do not count.
function recordKeyUses(app: FastifyInstance, ends: ResponseEnds, db: Db): void {
  const uses = new KeyUses(db, (err) =>
    app.log.warn({ err }, 'failed to record last use of API keys'),
  )
  ends.add(({ caller }, reply) => {
    if (caller?.kind === 'api_key' && reply.statusCode < 400) uses.note(caller.principal_id)
  })
  app.addHook('onClose', () => uses.close())
}

// A number counts the proxies in front of Florin; a list names their networks. Hop 0 is the
// direct peer. Addresses beyond the last trusted proxy are unverified claims.
function trustedProxies(setting: Config['trust_proxy']) {
  if (typeof setting !== 'number') return setting ?? false
  return (_address: string, hop: number) => hop < setting
}
