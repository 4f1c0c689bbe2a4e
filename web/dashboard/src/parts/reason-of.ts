import { FlorinError } from '../../../../client/src/florin.ts'

/** The error text for users. The SDK's own connection errors are meant for developers. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const is_unreachable = error instanceof FlorinError && error.status === undefined
  return is_unreachable
    ? 'Could not reach the server. Check your connection and try again.'
    : error.message
}

/** The error code; undefined if it is not an API error. */
export function codeOf(error: unknown): FlorinError['code'] | undefined {
  return error instanceof FlorinError ? error.code : undefined
}
