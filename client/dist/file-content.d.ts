/**
 * The content of a file: text, bytes, a Blob such as a `File` of a browser, or a stream, such as
 * that of `createReadStream`. A stream is read before anything is sent, so that a retry sends the
 * same bytes.
 */
export type FileContent = string | Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string>;
/** Copies the bytes, because the caller may reuse its buffer between two attempts. */
export declare function readContent(content: FileContent, signal: AbortSignal | undefined): Promise<Uint8Array<ArrayBuffer>>;
export declare function concat(parts: Uint8Array[]): Uint8Array<ArrayBuffer>;
