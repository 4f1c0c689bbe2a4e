interface Block {
    id: string | undefined;
    data: string;
}
export declare class BlockReader {
    #private;
    /** The id of the last complete block, also of one without data: where to resume. */
    last_id: string | undefined;
    /** Returns the blocks that this chunk completes. */
    push(chunk: string): Block[];
}
export {};
