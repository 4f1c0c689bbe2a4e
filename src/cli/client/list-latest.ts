// Reads the latest entries of a list, across pages: the API returns at most 100 per page.

import type { Api } from './api.ts'

const page_max = 100

/** Newest first; fewer than `count` if the list is shorter. */
export async function listLatest<Item extends { id: string }>(
  api: Api,
  path: string,
  filter: string,
  count: number,
): Promise<Item[]> {
  const found: Item[] = []
  for (;;) {
    const limit = Math.min(count - found.length, page_max)
    const from = found.length === 0 ? '' : `&starting_after=${found.at(-1)!.id}`
    const { data, has_more } = await api.request('GET', `${path}?limit=${limit}${filter}${from}`)
    found.push(...(data as Item[]))
    if (!has_more || found.length >= count) return found
  }
}
