// The public SDK, authenticated by the dashboard's session cookie. The page never holds a token.

import { Florin } from '../../../../client/src/florin.ts'
import { updateClockOffset } from './clock.ts'
import { api_base_path, fetchWithStepUp, withDashboardHeader } from './request.ts'

export type { Florin }

/** `account` is sent as Florin-Account: the account that an admin or a platform acts on. */
export function makeFlorin({ account }: { account?: string | undefined }): Florin {
  return new Florin({
    base_url: `${location.origin}${api_base_path}`,
    account,
    // Makes the SDK send idempotency keys, so a retry after a lost response is safe.
    uses_cookie_auth: true,
    // The user can retry; an early error is better than a long wait.
    retries_max: 1,
    fetch: async (url, init) =>
      updateClockOffset(await fetchWithStepUp(url, withDashboardHeader(init))),
  })
}
