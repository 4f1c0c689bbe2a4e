// Pagination. A page has the entries of one response; iterating over it loads the next pages.
/** A requested page: await it for one page, or iterate over the entries of all pages. */
export class PageRequest {
    [Symbol.toStringTag] = 'PageRequest';
    #load;
    #page;
    constructor(load) {
        this.#load = load;
    }
    // biome-ignore lint/suspicious/noThenProperty: this class implements Promise.
    then(onPage, onError) {
        return this.#start().then(onPage, onError);
    }
    catch(onError) {
        return this.#start().catch(onError);
    }
    finally(onEnd) {
        return this.#start().finally(onEnd);
    }
    async *[Symbol.asyncIterator]() {
        yield* (await this.#start());
    }
    #start() {
        this.#page ??= this.#load();
        return this.#page;
    }
}
/**
 * A page with a cursor. Entries that are added during an iteration neither repeat nor hide others,
 * and the current entry may be removed.
 */
export class CursorPage {
    object = 'list';
    data;
    /** Whether there are more entries in this direction. */
    has_more;
    #request;
    #load;
    constructor({ data, has_more }, request, load) {
        this.data = data;
        this.has_more = has_more;
        this.#request = request;
        this.#load = load;
    }
    async nextPage() {
        if (!this.has_more || this.data.length === 0)
            return undefined;
        return this.#load({ ...this.#request.query, ...nextCursor(this.#request, this.data) });
    }
    /** All entries from here on. With `ending_before` or `after` they are oldest first. */
    async *[Symbol.asyncIterator]() {
        let page = this;
        while (page !== undefined) {
            const entries = isOldestFirst(this.#request.query)
                ? page.data.toReversed()
                : page.data;
            yield* entries.slice(0, -1);
            // Loads the next page before it yields the last entry, because the caller may remove that
            // entry, which is the cursor. An error is thrown only if the iteration continues.
            const next = page.nextPage();
            await next.catch(() => { });
            yield* entries.slice(-1);
            page = await next;
        }
    }
}
function isOldestFirst(query) {
    return 'ending_before' in query && query.ending_before !== undefined;
}
function nextCursor({ query, after_field }, data) {
    const last = data.at(-1);
    const is_after = 'after' in query && query.after !== undefined;
    if (is_after && after_field !== undefined)
        return { after: last[after_field] };
    if (isOldestFirst(query))
        return { ending_before: cursorOf(data[0]) };
    return { starting_after: cursorOf(last) };
}
/** Lines of a statement have no id; their cursor is the sequence number. */
function cursorOf({ id, sequence }) {
    return id ?? sequence;
}
/**
 * A numbered page. Entries that are added during an iteration may repeat others, and removing
 * entries makes the next page skip as many. To remove entries, collect them first.
 */
export class NumberedPage {
    data;
    pagination;
    #query;
    #load;
    constructor({ data, pagination }, query, load) {
        this.data = data;
        this.pagination = pagination;
        this.#query = query;
        this.#load = load;
    }
    async nextPage() {
        const { pagination } = this;
        const has_next = 'has_next' in pagination ? pagination.has_next : pagination.page < pagination.total_pages;
        if (!has_next)
            return undefined;
        return this.#load({ ...this.#query, page: pagination.page + 1 });
    }
    /** All entries from here on. */
    async *[Symbol.asyncIterator]() {
        for (let page = this; page; page = await page.nextPage())
            yield* page.data;
    }
}
