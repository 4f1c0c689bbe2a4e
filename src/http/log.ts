// The log: JSON lines by pino, secrets redacted. Request lines name the route's pattern and not the
// address, because addresses hold tokens of payment and set-up links.

import { styleText } from 'node:util'
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

export interface LogOptions {
  /** For eyes on a terminal instead of for machines. */
  readable?: boolean
}

export function openLog(level: LogLevel, { readable = false }: LogOptions = {}): Logger {
  const options = { level, redact, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  if (readable) return pino(options, { write: (line) => void process.stdout.write(toText(line)) })
  // Written by the thread pool in chunks: a line a request must not cost a system call a request.
  const sink = destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 250 })
  return pino(options, sink)
}

interface Line {
  level: number
  time: string
  msg?: string
  err?: { stack?: string; message?: string }
  [field: string]: unknown
}

/** `12:03:11 POST /v1/users 201 12 ms req_…` for a request, level and message for the rest. */
function toText(json: string): string {
  const { level, time, msg, err, ...fields } = JSON.parse(json) as Line
  const clock = faint(new Date(time).toTimeString().slice(0, 8))
  const said = msg === 'request' ? requestText(fields) : otherText(level, msg, fields)
  const stack = err ? `\n${err.stack ?? err.message}` : ''
  // A name or an address in a message could otherwise steer the terminal.
  return `${clock} ${said}${stack.replaceAll(unprintable, '?')}\n`
}

function requestText(fields: Record<string, unknown>): string {
  const { method, route, status, ms, request_id } = fields
  const took = `${Math.round(Number(ms))} ms`
  return `${method} ${route ?? '(no such path)'} ${status} ${took} ${faint(String(request_id))}`
}

function otherText(level: number, msg = '', fields: Record<string, unknown>): string {
  const word = level === pino.levels.values.info ? '' : `${pino.levels.labels[level]}: `
  const rest = Object.keys(fields).length > 0 ? ` ${faint(JSON.stringify(fields))}` : ''
  return `${word}${msg.replaceAll(unprintable, '?')}${rest}`
}

// JSON has already escaped what it holds; messages and stacks may keep their line breaks.
const unprintable = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g

function faint(text: string): string {
  return styleText('dim', text, { stream: process.stdout })
}

export function logRequests(app: FastifyInstance): void {
  // These lines have fixed fields without secrets; redacting them took a fifth of the CPU's time.
  const lines = app.log.child({}, { redact: [] })
  app.addHook('onResponse', (request, reply, done) => {
    if (request.routeOptions.config.quiet !== true) {
      lines.info(
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
