import type { Call } from './call.ts';
/** A requested page: await it for one page, or iterate over the entries of all pages. */
export declare class PageRequest<Page extends AsyncIterable<unknown>> implements Promise<Page>, AsyncIterable<ItemOf<Page>> {
    #private;
    readonly [Symbol.toStringTag] = "PageRequest";
    constructor(load: () => Promise<Page>);
    then<Result = Page, Fallback = never>(onPage?: ((page: Page) => Result | PromiseLike<Result>) | null, onError?: ((error: unknown) => Fallback | PromiseLike<Fallback>) | null): Promise<Result | Fallback>;
    catch<Fallback = never>(onError?: ((error: unknown) => Fallback | PromiseLike<Fallback>) | null): Promise<Page | Fallback>;
    finally(onEnd?: (() => void) | null): Promise<Page>;
    [Symbol.asyncIterator](): AsyncGenerator<ItemOf<Page>, void, undefined>;
}
type ItemOf<Page> = Page extends AsyncIterable<infer Item> ? Item : never;
type Load<Page> = (query: object) => Promise<Page>;
interface CursorPageResponse<Item> {
    object: 'list';
    data: Item[];
    has_more: boolean;
}
/** The request for a list, which determines the cursor of the next page. */
type ListRequest = Pick<Call, 'after_field'> & {
    query: object;
};
/**
 * A page with a cursor. Entries that are added during an iteration neither repeat nor hide others,
 * and the current entry may be removed.
 */
export declare class CursorPage<Item extends object> implements CursorPageResponse<Item>, AsyncIterable<Item> {
    #private;
    readonly object = "list";
    readonly data: Item[];
    /** Whether there are more entries in this direction. */
    readonly has_more: boolean;
    constructor({ data, has_more }: CursorPageResponse<Item>, request: ListRequest, load: Load<CursorPage<Item>>);
    nextPage(): Promise<CursorPage<Item> | undefined>;
    /** All entries from here on. With `ending_before` or `after` they are oldest first. */
    [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined>;
}
/** Lists of users have `total_pages`; lists of accounts have `has_next`. */
export type Pagination = {
    page: number;
} & ({
    total_pages: number;
} | {
    has_next: boolean;
});
interface NumberedPageResponse<Item, Numbers> {
    data: Item[];
    pagination: Numbers;
}
/**
 * A numbered page. Entries that are added during an iteration may repeat others, and removing
 * entries makes the next page skip as many. To remove entries, collect them first.
 */
export declare class NumberedPage<Item, Numbers extends Pagination> implements NumberedPageResponse<Item, Numbers>, AsyncIterable<Item> {
    #private;
    readonly data: Item[];
    readonly pagination: Numbers;
    constructor({ data, pagination }: NumberedPageResponse<Item, Numbers>, query: object, load: Load<NumberedPage<Item, Numbers>>);
    nextPage(): Promise<NumberedPage<Item, Numbers> | undefined>;
    /** All entries from here on. */
    [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined>;
}
export {};
