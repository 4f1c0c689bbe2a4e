// Finds one request log entry by id. The API only has a list, so this fetches the next newer entry
// and lists from there, or lists from the top if there is no newer one.

import type { RequestLogEntry } from '../../api/api-types.ts'
import type { Florin } from '../../api/florin.ts'

// Another server process may write an entry between the two calls, so one row is not enough.
const rows_after_newer = 5

export async function findRequest(
  florin: Florin,
  id: string,
  signal: AbortSignal,
): Promise<RequestLogEntry | undefined> {
  const newer = await florin.requestLogs.list({ ending_before: id, limit: 1 }, { signal })
  const starting_after = newer.data[0]?.id
  const page =
    starting_after === undefined
      ? await florin.requestLogs.list({ limit: 100 }, { signal })
      : await florin.requestLogs.list({ starting_after, limit: rows_after_newer }, { signal })
  return page.data.find((entry) => entry.id === id)
}
