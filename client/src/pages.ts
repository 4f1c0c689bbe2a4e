// Lists come in pages. A page holds what Florin answered, and walking over it goes on to the next.

import type { Call } from './call.ts'

/** A page that has been asked for: await it for one page, or walk over all of its entries. */
export class PageRequest<Page extends AsyncIterable<unknown>>
  implements Promise<Page>, AsyncIterable<ItemOf<Page>>
{
  readonly [Symbol.toStringTag] = 'PageRequest'
  readonly #load: () => Promise<Page>
  #page: Promise<Page> | undefined

  constructor(load: () => Promise<Page>) {
    this.#load = load
  }

  // biome-ignore lint/suspicious/noThenProperty: it is awaited as a promise is.
  then<Given = Page, Else = never>(
    onPage?: ((page: Page) => Given | PromiseLike<Given>) | null,
    onError?: ((error: unknown) => Else | PromiseLike<Else>) | null,
  ): Promise<Given | Else> {
    return this.#ask().then(onPage, onError)
  }

  catch<Else = never>(
    onError?: ((error: unknown) => Else | PromiseLike<Else>) | null,
  ): Promise<Page | Else> {
    return this.#ask().catch(onError)
  }

  finally(onEnd?: (() => void) | null): Promise<Page> {
    return this.#ask().finally(onEnd)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<Page>, void, undefined> {
    yield* (await this.#ask()) as AsyncIterable<ItemOf<Page>>
  }

  #ask(): Promise<Page> {
    this.#page ??= this.#load()
    return this.#page
  }
}

type ItemOf<Page> = Page extends AsyncIterable<infer Item> ? Item : never

type Load<Page> = (query: object) => Promise<Page>

export interface CursorPageResponse<Item> {
  object: 'list'
  data: Item[]
  has_more: boolean
}

/** How a list was asked for, which decides where its next page begins. */
type Walk = Pick<Call, 'after_field'> & { query: object }

/**
 * A page that a cursor continues. What is added meanwhile neither repeats nor hides an entry, and
 * the entry that a walk has come to may be removed.
 */
export class CursorPage<Item extends object>
  implements CursorPageResponse<Item>, AsyncIterable<Item>
{
  readonly object = 'list'
  readonly data: Item[]
  /** Whether there are more entries in the direction of walking. */
  readonly has_more: boolean
  readonly #walk: Walk
  readonly #load: Load<CursorPage<Item>>

  constructor(
    { data, has_more }: CursorPageResponse<Item>,
    walk: Walk,
    load: Load<CursorPage<Item>>,
  ) {
    this.data = data
    this.has_more = has_more
    this.#walk = walk
    this.#load = load
  }

  async nextPage(): Promise<CursorPage<Item> | undefined> {
    if (!this.has_more || this.data.length === 0) return undefined
    return this.#load({ ...this.#walk.query, ...nextCursor(this.#walk, this.data) })
  }

  /** All entries from here on; with ending_before or after oldest first, as the walk goes. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let page: CursorPage<Item> | undefined = this
    while (page !== undefined) {
      const entries: Item[] = walksUp(this.#walk.query) ? page.data.toReversed() : page.data
      yield* entries.slice(0, -1)
      // The next page begins after the last entry, which its reader may remove: so it is here by
      // then. What went wrong with it is told to those who walk on.
      const next: Promise<CursorPage<Item> | undefined> = page.nextPage()
      await next.catch(() => {})
      yield* entries.slice(-1)
      page = await next
    }
  }
}

function walksUp(query: object): boolean {
  return 'ending_before' in query && query.ending_before !== undefined
}

interface Entry {
  id?: string
  sequence?: number
}

function nextCursor({ query, after_field }: Walk, data: Entry[]): object {
  const last = data.at(-1)!
  const is_after = 'after' in query && query.after !== undefined
  if (is_after && after_field !== undefined) return { after: last[after_field] }
  if (walksUp(query)) return { ending_before: cursorOf(data[0]!) }
  return { starting_after: cursorOf(last) }
}

/** Lines of a statement have no id: their number is their cursor. */
function cursorOf({ id, sequence }: Entry): unknown {
  return id ?? sequence
}

/** Users and accounts are counted differently, as their calls always were. */
export type Pagination = { page: number } & ({ total_pages: number } | { has_next: boolean })

export interface NumberedPageResponse<Item, Numbers> {
  data: Item[]
  pagination: Numbers
}

/**
 * A page with a number. What is added while you walk may repeat an entry: look at its id. What is
 * removed moves all behind it forward, so that the next page leaves as many out: to remove what
 * you walk over, collect it first.
 */
export class NumberedPage<Item, Numbers extends Pagination>
  implements NumberedPageResponse<Item, Numbers>, AsyncIterable<Item>
{
  readonly data: Item[]
  readonly pagination: Numbers
  readonly #query: object
  readonly #load: Load<NumberedPage<Item, Numbers>>

  constructor(
    { data, pagination }: NumberedPageResponse<Item, Numbers>,
    query: object,
    load: Load<NumberedPage<Item, Numbers>>,
  ) {
    this.data = data
    this.pagination = pagination
    this.#query = query
    this.#load = load
  }

  async nextPage(): Promise<NumberedPage<Item, Numbers> | undefined> {
    const { pagination } = this
    const has_next =
      'has_next' in pagination ? pagination.has_next : pagination.page < pagination.total_pages
    if (!has_next) return undefined
    return this.#load({ ...this.#query, page: pagination.page + 1 })
  }

  /** All entries from here on. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    type Page = NumberedPage<Item, Numbers>
    for (let page: Page | undefined = this; page; page = await page.nextPage()) yield* page.data
  }
}
