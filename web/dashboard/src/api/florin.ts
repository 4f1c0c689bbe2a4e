// The SDK that everybody else uses, through the dashboard's own door: the cookie says who asks, and
// no token is ever here.

import { Florin } from '../../../../client/src/florin.ts'
import { updateClockOffset } from './clock.ts'
import { api_base_path, withDashboardHeader } from './request.ts'

export type { Florin }

/** `account` is sent as Florin-Account: whom an admin or a platform acts for. */
export function makeFlorin({ account }: { account?: string | undefined }): Florin {
  return new Florin({
    base_url: `${location.origin}${api_base_path}`,
    account,
    // Without it a change would carry no key, and be made twice where its answer was lost.
    uses_cookie_auth: true,
    // Somebody looks at the page and can try again; a blank one for long seconds tells nothing.
    retries_max: 1,
    fetch: async (url, init) => updateClockOffset(await fetch(url, withDashboardHeader(init))),
  })
}
