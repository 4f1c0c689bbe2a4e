// The log: JSON lines by pino, secrets redacted. Request lines name the route's pattern and not the
// address, because addresses hold tokens of payment and set-up links.

import type { FastifyInstance } from 'fastify'
import { destination, type Logger, pino } from 'pino'
import type { LogLevel } from '../config.ts'
import { type IdKind, toTypeId } from '../primitives/ids.ts'

// A second wall: nothing logs these on purpose.
const redact = {
  paths: [
    'password',
    'token',
    'access_token',
    'refresh_token',
    'authorization',
    'cookie',
    'secret',
  ].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
  censor: '[redacted]',
}

export function openLog(level: LogLevel): Logger {
  // Written by the thread pool in chunks: a line a request must not cost a system call a request.
  const sink = destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 250 })
  return pino({ level, redact, base: null, timestamp: pino.stdTimeFunctions.isoTime }, sink)
}

export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (request.routeOptions.config.quiet !== true) {
      request.log.info(
        {
          request_id: request.id,
          method: request.method,
          route: request.routeOptions.url ?? null,
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          user_id: shown('user', request.caller?.user_id),
          account_id: shown('account', request.caller?.account_id),
        },
        'request',
      )
    }
    done()
  })
}

function shown(kind: IdKind, id: string | null | undefined): string | undefined {
  return id ? toTypeId(kind, id) : undefined
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Health checks come every second and say nothing: they are not logged. */
    quiet?: boolean
  }
}
