// The command that helps after a refusal.

export interface Refused {
  status: number
  error: string
  message: string
  method: string
  path: string
  /** Whether the request carried a token or a key, and lacked a permission only. */
  lacks_scope: boolean
  retry_after: string | null
}

export function nextStep(refused: Refused): string | undefined {
  const { status, error, message, path } = refused
  if (status === 401) {
    return refused.lacks_scope
      ? 'florin login, as somebody who may or with a key that has the scope'
      : 'florin login'
  }
  if (status === 403 && message.includes('Florin-Account')) {
    return 'add --account acct_…; florin get /v1/accounts lists them'
  }
  if (status === 429) return `wait ${refused.retry_after ?? 1} s, and run it again`
  if (status >= 500) return status === 503 ? 'florin status' : 'florin doctor'
  return byCode[error] ?? (path.startsWith('/v1/') ? 'florin open docs' : undefined)
}

const byCode: Record<string, string> = {
  insufficient_funds: 'florin get /v1/account/balance',
  active_subscriptions: 'florin get /v1/subscriptions',
  idempotency_conflict: 'use another --idempotency-key, or leave it out',
  invalid_grant: 'florin login',
}
