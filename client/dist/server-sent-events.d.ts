export interface Block {
    id: string | undefined;
    data: string;
}
export declare class BlockReader {
    #private;
    /** The id of the last whole block, also of one without data: where to go on after it. */
    last_id: string | undefined;
    /** The blocks that this piece completes. */
    push(piece: string): Block[];
}
