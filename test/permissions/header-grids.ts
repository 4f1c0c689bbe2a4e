// Requests about the account in Florin-Account, and the grids of several of them.

import type { Fixtures } from './fixtures.ts'
import type { Request } from './grid.ts'

// GET is tested with every kind of malformed id, other methods with some of them.
export async function someIds(inside: Fixtures, object: string, method: string) {
  const ids = await inside.accountIds(object)
  return method === 'GET' ? ids : ids.filter((_, at) => at % 4 === 0)
}

export const byHeader =
  (method: string, path: string, body?: () => unknown) =>
  async (inside: Fixtures, object: string): Promise<Request[]> =>
    (await someIds(inside, object, method)).map((account_id) => ({
      method,
      path,
      body: body?.(),
      headers: account_id === undefined ? {} : { 'florin-account': account_id },
    }))

export interface CellContext {
  fixtures: Fixtures
  object: string
  caller: string
}

/** The account that a successful request is about: the caller's own, or the named one. */
export async function expectedId({ fixtures, object, caller }: CellContext): Promise<string> {
  const own_columns: Record<string, string> = {
    owner: 'own',
    member: 'own',
    viewer: 'own',
    owner2: 'other',
    member2: 'other',
    'key:*': 'own',
    'key2:*': 'other',
  }
  const [id] = await fixtures.accountIds(own_columns[caller] ?? object)
  return id!
}

export const reading = `
         nothing own   other suspended closed unknown badid
dead     dead
member   ok      ok    none  none      none   none    none
viewer   ok      ok    none  none      none   none    none
owner    ok      ok    none  none      none   none    none
member2  ok      none  ok    none      none   none    none
owner2   ok      none  ok    none      none   none    none
lone     forb    forb  forb  forb      forb   forb    forb
platform forb    ok    ok    ok        ok     none    none
admin    forb    ok    ok    ok        ok     none    none`

export const managing = `
         nothing own   other suspended closed unknown badid
dead     dead
member   scope   scope scope scope     scope  scope   scope
viewer   scope   scope scope scope     scope  scope   scope
owner    ok      ok    none  none      none   none    none
member2  scope   scope scope scope     scope  scope   scope
owner2   ok      none  ok    none      none   none    none
lone     forb    forb  forb  forb      forb   forb    forb
platform scope   scope scope scope     scope  scope   scope
admin    forb    ok    ok    ok        closed none    none
key:*    scope
key2:*   scope
platform_key:* scope`
