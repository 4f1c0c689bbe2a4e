// The command that helps after a refusal.

export interface RefusedRequest {
  status: number
  error: string
  message: string
  method: string
  path: string
  /** What was wrong although the token or key was good: a scope, or a password beside it. */
  challenge: string | undefined
  retry_after: string | null
  /** Whether the server runs on this machine, which is all that status and doctor look at. */
  is_local: boolean
}

export function nextStep(refused: RefusedRequest): string | undefined {
  const { status, error, message, path } = refused
  if (status === 401) return afterChallenge(refused.challenge)
  if (status === 403 && message.includes('Florin-Account')) {
    return 'add --account acct_…; florin get /v1/accounts lists them'
  }
  if (status === 429) return waitFor(refused)
  if (status >= 500) return afterFault(refused)
  // The first request with the key is under way. With another key there would be a second change.
  if (status === 409 && error === 'idempotency_conflict') {
    return 'wait a second, and run it again with the same --idempotency-key'
  }
  return byCode[error] ?? (path.startsWith('/v1/') ? 'florin open docs' : undefined)
}

// Who sent a wrong password with a good token is logged in already, and the message says it all.
function afterChallenge(challenge: string | undefined): string | undefined {
  if (challenge === undefined) return 'florin login'
  const scope = 'florin login, as somebody who may or with a key that has the scope'
  return challenge === 'insufficient_scope' ? scope : undefined
}

function afterFault(refused: RefusedRequest): string | undefined {
  const is_busy = refused.status === 503
  if (refused.is_local) return is_busy ? 'florin status' : 'florin doctor'
  return is_busy ? waitFor(refused) : undefined
}

function waitFor({ retry_after }: RefusedRequest): string {
  return `wait ${retry_after ?? 1} s, and run it again`
}

const byCode: Record<string, string> = {
  insufficient_funds: 'florin get /v1/account/balance',
  active_subscriptions: 'florin get /v1/subscriptions',
  idempotency_conflict: 'use another --idempotency-key, or leave it out',
  invalid_grant: 'florin login',
}
