// Walks an account's list from the newest, page by page, while others write to it.

import type { Walk } from '../history.ts'
import type { Client } from './client.ts'
import type { Shop } from './world.ts'

// Far enough that writes come in between, and not through thousands of rows each time.
const pages_max = 6

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
  while (!walk.ended && walk.pages.length < pages_max) {
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
    // A page that did not come ends the walk; what came before it still counts.
    if (response.result !== 'ok') break
    const { data, has_more } = JSON.parse(response.text)
    walk.pages.push(data.map(({ id, status }: { id: string; status: string }) => ({ id, status })))
    walk.ended = !has_more
  }
  walk.done_ms = recorder.now()
  if (walk.pages.length > 0) recorder.add(walk)
}
