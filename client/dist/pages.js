// Lists come in pages. A page holds what Florin answered, and walking over it goes on to the next.
/** A page that has been asked for: await it for one page, or walk over all of its entries. */
export class PageRequest {
    [Symbol.toStringTag] = 'PageRequest';
    #load;
    #page;
    constructor(load) {
        this.#load = load;
    }
    // biome-ignore lint/suspicious/noThenProperty: it is awaited as a promise is.
    then(onPage, onError) {
        return this.#ask().then(onPage, onError);
    }
    catch(onError) {
        return this.#ask().catch(onError);
    }
    finally(onEnd) {
        return this.#ask().finally(onEnd);
    }
    async *[Symbol.asyncIterator]() {
        yield* (await this.#ask());
    }
    #ask() {
        this.#page ??= this.#load();
        return this.#page;
    }
}
/**
 * A page that a cursor continues. What is added meanwhile neither repeats nor hides an entry, and
 * the entry that a walk has come to may be removed.
 */
export class CursorPage {
    object = 'list';
    data;
    /** Whether there are more entries in the direction of walking. */
    has_more;
    #walk;
    #load;
    constructor({ data, has_more }, walk, load) {
        this.data = data;
        this.has_more = has_more;
        this.#walk = walk;
        this.#load = load;
    }
    async nextPage() {
        if (!this.has_more || this.data.length === 0)
            return undefined;
        return this.#load({ ...this.#walk.query, ...nextCursor(this.#walk, this.data) });
    }
    /** All entries from here on; with ending_before or after oldest first, as the walk goes. */
    async *[Symbol.asyncIterator]() {
        let page = this;
        while (page !== undefined) {
            const entries = walksUp(this.#walk.query) ? page.data.toReversed() : page.data;
            yield* entries.slice(0, -1);
            // The next page begins after the last entry, which its reader may remove: so it is here by
            // then. What went wrong with it is told to those who walk on.
            const next = page.nextPage();
            await next.catch(() => { });
            yield* entries.slice(-1);
            page = await next;
        }
    }
}
function walksUp(query) {
    return 'ending_before' in query && query.ending_before !== undefined;
}
function nextCursor({ query, after_field }, data) {
    const last = data.at(-1);
    const is_after = 'after' in query && query.after !== undefined;
    if (is_after && after_field !== undefined)
        return { after: last[after_field] };
    if (walksUp(query))
        return { ending_before: cursorOf(data[0]) };
    return { starting_after: cursorOf(last) };
}
/** Lines of a statement have no id: their number is their cursor. */
function cursorOf({ id, sequence }) {
    return id ?? sequence;
}
/**
 * A page with a number. What is added while you walk may repeat an entry: look at its id. What is
 * removed moves all behind it forward, so that the next page leaves as many out: to remove what
 * you walk over, collect it first.
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
