import type { Call, Options } from './call.ts';
export interface PreparedRequest {
    url: string;
    method: string;
    headers: Record<string, string>;
    body: string | null;
    takes_token: boolean;
    /** Who asked: each try is theirs. As nobody's it would be another request: a sign-up. */
    session: number | undefined;
    /** Whether sending it twice has the effect of sending it once. */
    is_repeatable: boolean;
}
export interface ClientContext {
    base_url: string;
    account: string | undefined;
    /**
     * The number of the session; undefined for nobody. Florin keeps answers for known callers only,
     * so a key of anybody else protects nothing.
     */
    session: number | undefined;
}
export declare function prepare(call: Call, options: Options, context: ClientContext): PreparedRequest;
export declare function printQuery(query: object): string;
/** 128 random bits. randomUUID would do, but browsers have it on https pages only. */
export declare function newKey(): string;
