/**
 * Encodes a path segment. An empty id, usually an unset variable, would request the list instead of
 * one entry, and dots would change the path.
 */
export declare function segment(name: string, value: string): string;
