import type { Call } from './call.ts';
/** A page that has been asked for: await it for one page, or walk over all of its entries. */
export declare class PageRequest<Page extends AsyncIterable<unknown>> implements Promise<Page>, AsyncIterable<ItemOf<Page>> {
    #private;
    readonly [Symbol.toStringTag] = "PageRequest";
    constructor(load: () => Promise<Page>);
    then<Given = Page, Else = never>(onPage?: ((page: Page) => Given | PromiseLike<Given>) | null, onError?: ((error: unknown) => Else | PromiseLike<Else>) | null): Promise<Given | Else>;
    catch<Else = never>(onError?: ((error: unknown) => Else | PromiseLike<Else>) | null): Promise<Page | Else>;
    finally(onEnd?: (() => void) | null): Promise<Page>;
    [Symbol.asyncIterator](): AsyncGenerator<ItemOf<Page>, void, undefined>;
}
type ItemOf<Page> = Page extends AsyncIterable<infer Item> ? Item : never;
type Load<Page> = (query: object) => Promise<Page>;
export interface CursorPageResponse<Item> {
    object: 'list';
    data: Item[];
    has_more: boolean;
}
/** How a list was asked for, which decides where its next page begins. */
type Walk = Pick<Call, 'after_field'> & {
    query: object;
};
/**
 * A page that a cursor continues. What is added meanwhile neither repeats nor hides an entry, and
 * the entry that a walk has come to may be removed.
 */
export declare class CursorPage<Item extends object> implements CursorPageResponse<Item>, AsyncIterable<Item> {
    #private;
    readonly object = "list";
    readonly data: Item[];
    /** Whether there are more entries in the direction of walking. */
    readonly has_more: boolean;
    constructor({ data, has_more }: CursorPageResponse<Item>, walk: Walk, load: Load<CursorPage<Item>>);
    nextPage(): Promise<CursorPage<Item> | undefined>;
    /** All entries from here on; with ending_before or after oldest first, as the walk goes. */
    [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined>;
}
/** Users and accounts are counted differently, as their calls always were. */
export type Pagination = {
    page: number;
} & ({
    total_pages: number;
} | {
    has_next: boolean;
});
export interface NumberedPageResponse<Item, Numbers> {
    data: Item[];
    pagination: Numbers;
}
/**
 * A page with a number. What is added while you walk may repeat an entry: look at its id. What is
 * removed moves all behind it forward, so that the next page leaves as many out: to remove what
 * you walk over, collect it first.
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
