import { type Fetch } from './attempt.ts';
import type { Call, Options, RawResponse } from './call.ts';
import { type CredentialOptions, Credentials } from './credentials.ts';
import type { FlorinEvent } from './florin-event.ts';
import { CursorPage, NumberedPage, PageRequest, type Pagination } from './pages.ts';
interface TransportOptions extends CredentialOptions {
    base_url: string;
    fetch: Fetch;
    timeout_ms: number;
    retries_max: number;
    account: string | undefined;
}
export declare class Transport {
    #private;
    readonly credentials: Credentials;
    constructor(options: TransportOptions);
    json<Result>(call: Call, options: Options): Promise<Result>;
    text(call: Call, options: Options): Promise<string>;
    /** A file. Another type, such as the page of a proxy, is an error. */
    bytes(call: Call, options: Options): Promise<Uint8Array<ArrayBuffer>>;
    raw(call: Call, options: Options): Promise<RawResponse>;
    cursorPages<Item extends object>(call: Call, options: Options): PageRequest<CursorPage<Item>>;
    numberedPages<Item, Numbers extends Pagination>(call: Call, options: Options): PageRequest<NumberedPage<Item, Numbers>>;
    stream(call: Call, options: Options): AsyncGenerator<FlorinEvent, void, undefined>;
}
export {};
