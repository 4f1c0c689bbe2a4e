// Reads an account's list from the newest row, page by page, while other clients write to it.

import type { Walk } from '../history.ts'
import type { Client } from './client.ts'
import type { Shop } from './world.ts'

// Enough pages for writes to interleave, without reading thousands of rows each time.
const max_pages = 6

export async function walkList(client: Client, of?: Shop): Promise<void> {
  const { random, world, recorder, number } = client.parts
  const shop = of ?? random.pick(world.shops)
  const limit = 2 + random.below(40)
  const walk: Walk = {
    kind: 'walk',
    client: number,
    account: shop.account,
    begun_ms: recorder.now(),
    done_ms: 0,
    ended: false,
    pages: [],
  }
  while (!walk.ended && walk.pages.length < max_pages) {
    const after = walk.pages.at(-1)?.at(-1)?.id
    const response = await client.attempt(
      {
        operation: 'list',
        shop,
        credential: `owner of ${shop.account}`,
        target: null,
        input: {},
        request: {
          method: 'GET',
          path: `/v1/transactions?limit=${limit}${after ? `&starting_after=${after}` : ''}`,
          token: shop.token,
        },
      },
      null,
      false,
    )
    // A failed page ends the walk. The pages before it still count.
    if (response.result !== 'ok') break
    const { data, has_more } = JSON.parse(response.text)
    walk.pages.push(data.map(({ id, status }: { id: string; status: string }) => ({ id, status })))
    walk.ended = !has_more
  }
  walk.done_ms = recorder.now()
  if (walk.pages.length > 0) recorder.add(walk)
}
