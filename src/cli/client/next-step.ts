// Suggests the next command after the server rejected a request.

export interface RejectedRequest {
  status: number
  error: string
  message: string
  method: string
  path: string
  /** Reason of a 401 other than the token or key: a missing scope, or a wrong password. */
  challenge: string | undefined
  retry_after: string | null
  /** Whether the server runs on this machine: status and doctor check only this machine. */
  is_local: boolean
}

export function nextStep(refused: RejectedRequest): string | undefined {
  const { status, error, message, path } = refused
  if (status === 401) return afterChallenge(refused.challenge)
  if (status === 403 && message.includes('Florin-Account')) {
    return 'add --account acct_…; list accounts with florin get /v1/accounts'
  }
  if (status === 429) return waitFor(refused)
  if (status >= 500) return afterServerError(refused)
  // The first request is still in progress. A different key would make the change twice.
  if (status === 409 && error === 'idempotency_conflict') {
    return 'wait a second, then run it again with the same --idempotency-key'
  }
  return byCode[error] ?? (path.startsWith('/v1/') ? 'florin open docs' : undefined)
}

// A wrong password next to a valid token needs no login; the message is enough.
function afterChallenge(challenge: string | undefined): string | undefined {
  if (challenge === undefined) return 'florin login'
  const scope = 'florin login, as a user or with a key that has the permission'
  return challenge === 'insufficient_scope' ? scope : undefined
}

function afterServerError(refused: RejectedRequest): string | undefined {
  const is_busy = refused.status === 503
  if (refused.is_local) return is_busy ? 'florin status' : 'florin doctor'
  return is_busy ? waitFor(refused) : undefined
}

function waitFor({ retry_after }: RejectedRequest): string {
  return `wait ${retry_after ?? 1} s, then run it again`
}

const byCode: Record<string, string> = {
  insufficient_funds: 'florin get /v1/account/balance',
  active_subscriptions: 'florin get /v1/subscriptions',
  idempotency_conflict: 'use another --idempotency-key, or omit it',
  invalid_grant: 'florin login',
}
