// Turns an error of the SDK into a message for the terminal, with the next command.

import { FlorinError, verdictOf } from '../../../client/src/florin.ts'
import { ApiFailure, type Failure } from '../failures.ts'
import { isThisMachine } from '../read-address.ts'
import { quoteIfNeeded } from '../shell-word.ts'

interface ExplainOptions {
  /** The command has --idempotency-key, so the message may suggest repeating it with the key. */
  takes_idempotency_key?: boolean
}

export function explainError(
  error: FlorinError,
  url: string,
  { takes_idempotency_key = false }: ExplainOptions = {},
): ApiFailure {
  const { outcome_unknown, status, request_id } = error
  const again = outcome_unknown && takes_idempotency_key ? repeatCommand(error) : undefined
  const next = again ?? nextStep(error, isThisMachine(url))
  return new ApiFailure({
    ...describe(error, url),
    ...(next !== undefined && { next }),
    ...(status !== undefined && { status }),
    ...(request_id !== undefined && { request_id }),
  })
}

/** Without a login there is no key: Florin stores responses only for authenticated callers. */
function repeatCommand({ idempotency_key: key }: FlorinError): string {
  return key === undefined
    ? 'check whether the change was applied before you run the command again'
    : `run it again with --idempotency-key ${quoteIfNeeded(key)}, so it is applied only once`
}

function describe(error: FlorinError, url: string): Pick<Failure, 'error' | 'message'> {
  const { code, status, outcome_unknown } = error
  if (code === 'connection_failed' || code === 'timed_out') {
    return { error: 'server_unreachable', message: describeLost(error, url) }
  }
  const [name, message] = code === 'unexpected_response' ? notFlorin(error) : [code, error.message]
  if (!outcome_unknown || message.includes('may have been applied')) return { error: name, message }
  const warning = `The server returned status ${status}; the change may have been applied.`
  return { error: name, message: `${warning} ${message}` }
}

function describeLost(error: FlorinError, url: string): string {
  const { code, cause, outcome_unknown } = error
  if (!outcome_unknown && verdictOf(error).outcome === 'not_sent') {
    return (
      `Cannot reach a Florin server at ${url} (${reasonOf(cause)}). Start one with florin start, ` +
      'or choose another with --server or FLORIN_SERVER.'
    )
  }
  const warning = outcome_unknown ? ' The change may have been applied.' : ''
  if (cause instanceof FlorinError) {
    return `No response from ${url}.${warning} The retry failed: ${cause.message}`
  }
  if (code === 'timed_out') return `No response from ${url} in time.${warning}`
  return `The connection to ${url} was lost (${reasonOf(cause)}).${warning}`
}

/** The cause is the "fetch failed" of Node.js, whose cause has the code. */
function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error ? (cause.cause ?? cause) : cause
  const { code: reason, message } = (inner ?? {}) as { code?: string; message?: string }
  return reason ?? message ?? 'unknown'
}

function notFlorin({ status, request_id }: FlorinError): [string, string] {
  const message = `The server returned status ${status}`
  if (request_id?.startsWith('req_')) return ['http_error', `${message}.`]
  return ['not_florin', `${message} and is not Florin. Check --server.`]
}

/** `is_local`: the server runs on this machine, the only one that status and doctor check. */
export function nextStep(error: FlorinError, is_local: boolean): string | undefined {
  const { code, status = 0 } = error
  if (code === 'unexpected_response' || status === 0) return undefined
  if (status === 401) return afterRejection(error)
  if (status === 403 && error.message.includes('Florin-Account')) {
    return 'add --account acct_…; list accounts with florin get /v1/accounts'
  }
  if (status === 429) return waitFor(error)
  if (status >= 500) return afterServerError(error, is_local)
  // The first request is still in progress. A different key would make the change twice.
  if (status === 409 && code === 'idempotency_conflict') {
    return 'wait a second, then run it again with the same --idempotency-key'
  }
  return byCode[code] ?? 'florin open docs'
}

// A wrong password next to a valid token needs no login; the message is enough.
function afterRejection({ token_is_valid, lacks_permission }: FlorinError): string | undefined {
  if (lacks_permission) return 'florin login, as a user or with a key that has the permission'
  return token_is_valid ? undefined : 'florin login'
}

function afterServerError(error: FlorinError, is_local: boolean): string | undefined {
  const is_busy = error.status === 503
  if (is_local) return is_busy ? 'florin status' : 'florin doctor'
  return is_busy ? waitFor(error) : undefined
}

function waitFor({ retry_after_s = 1 }: FlorinError): string {
  return `wait ${Math.ceil(retry_after_s)} s, then run it again`
}

const byCode: Record<string, string> = {
  insufficient_funds: 'florin get /v1/account/balance',
  active_subscriptions: 'florin get /v1/subscriptions',
  idempotency_conflict: 'use another --idempotency-key, or omit it',
  invalid_grant: 'florin login',
}
