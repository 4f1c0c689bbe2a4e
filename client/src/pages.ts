// Pagination. A page has the entries of one response; iterating over it loads the next pages.

import type { Call } from './call.ts'

/** A requested page: await it for one page, or iterate over the entries of all pages. */
export class PageRequest<Page extends AsyncIterable<unknown>>
  implements Promise<Page>, AsyncIterable<ItemOf<Page>>
{
  readonly [Symbol.toStringTag] = 'PageRequest'
  readonly #load: () => Promise<Page>
  #page: Promise<Page> | undefined

  constructor(load: () => Promise<Page>) {
    this.#load = load
  }

  // biome-ignore lint/suspicious/noThenProperty: this class implements Promise.
  then<Result = Page, Fallback = never>(
    onPage?: ((page: Page) => Result | PromiseLike<Result>) | null,
    onError?: ((error: unknown) => Fallback | PromiseLike<Fallback>) | null,
  ): Promise<Result | Fallback> {
    return this.#start().then(onPage, onError)
  }

  catch<Fallback = never>(
    onError?: ((error: unknown) => Fallback | PromiseLike<Fallback>) | null,
  ): Promise<Page | Fallback> {
    return this.#start().catch(onError)
  }

  finally(onEnd?: (() => void) | null): Promise<Page> {
    return this.#start().finally(onEnd)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<Page>, void, undefined> {
    yield* (await this.#start()) as AsyncIterable<ItemOf<Page>>
  }

  #start(): Promise<Page> {
    this.#page ??= this.#load()
    return this.#page
  }
}

type ItemOf<Page> = Page extends AsyncIterable<infer Item> ? Item : never

type Load<Page> = (query: object) => Promise<Page>

interface CursorPageResponse<Item> {
  object: 'list'
  data: Item[]
  has_more: boolean
}

/** The request for a list, which determines the cursor of the next page. */
type ListRequest = Pick<Call, 'after_field'> & { query: object }

/**
 * A page with a cursor. Entries that are added during an iteration neither repeat nor hide others,
 * and the current entry may be removed.
 */
export class CursorPage<Item extends object>
  implements CursorPageResponse<Item>, AsyncIterable<Item>
{
  readonly object = 'list'
  readonly data: Item[]
  /** Whether there are more entries in this direction. */
  readonly has_more: boolean
  readonly #request: ListRequest
  readonly #load: Load<CursorPage<Item>>

  constructor(
    { data, has_more }: CursorPageResponse<Item>,
    request: ListRequest,
    load: Load<CursorPage<Item>>,
  ) {
    this.data = data
    this.has_more = has_more
    this.#request = request
    this.#load = load
  }

  async nextPage(): Promise<CursorPage<Item> | undefined> {
    if (!this.has_more || this.data.length === 0) return undefined
    return this.#load({ ...this.#request.query, ...nextCursor(this.#request, this.data) })
  }

  /** All entries from here on. With `ending_before` or `after` they are oldest first. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let page: CursorPage<Item> | undefined = this
    while (page !== undefined) {
      const entries: Item[] = isOldestFirst(this.#request.query)
        ? page.data.toReversed()
        : page.data
      yield* entries.slice(0, -1)
      // Loads the next page before it yields the last entry, because the caller may remove that
      // entry, which is the cursor. An error is thrown only if the iteration continues.
      const next: Promise<CursorPage<Item> | undefined> = page.nextPage()
      await next.catch(() => {})
      yield* entries.slice(-1)
      page = await next
    }
  }
}

function isOldestFirst(query: object): boolean {
  return 'ending_before' in query && query.ending_before !== undefined
}

interface Entry {
  id?: string
  sequence?: number
}

function nextCursor({ query, after_field }: ListRequest, data: Entry[]): object {
  const last = data.at(-1)!
  const is_after = 'after' in query && query.after !== undefined
  if (is_after && after_field !== undefined) return { after: last[after_field] }
  if (isOldestFirst(query)) return { ending_before: cursorOf(data[0]!) }
  return { starting_after: cursorOf(last) }
}

/** Lines of a statement have no id; their cursor is the sequence number. */
function cursorOf({ id, sequence }: Entry): unknown {
  return id ?? sequence
}

/** Lists of users have `total_pages`; lists of accounts have `has_next`. */
export type Pagination = { page: number } & ({ total_pages: number } | { has_next: boolean })

interface NumberedPageResponse<Item, Numbers> {
  data: Item[]
  pagination: Numbers
}

/**
 * A numbered page. Entries that are added during an iteration may repeat others, and removing
 * entries makes the next page skip as many. To remove entries, collect them first.
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
