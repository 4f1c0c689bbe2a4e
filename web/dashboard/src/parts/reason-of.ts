import { FlorinError } from '../../../../client/src/florin.ts'

/** Why something failed, for whoever looks at the page: base_url is a word for programmers. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const away = error instanceof FlorinError && error.status === undefined
  return away ? 'The server does not response. Is it running?' : error.message
}

/** What a program decides by; undefined for what is not an error of the API. */
export function codeOf(error: unknown): FlorinError['code'] | undefined {
  return error instanceof FlorinError ? error.code : undefined
}
