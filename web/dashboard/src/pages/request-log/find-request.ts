// One entry of the request log. The API lists them only: so from the entry after it, the next one
// down; from the top, when none comes after it yet.

import type { Florin } from '../../api/florin.ts'
import type { RequestLogEntry } from '../../api/api-types.ts'

// Between two calls an entry of another server may come in between; a few more rows hold it.
const few = 5

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
      : await florin.requestLogs.list({ starting_after, limit: few }, { signal })
  return page.data.find((entry) => entry.id === id)
}
