/**
 * A part of a path. An empty one would ask for the list instead of one of its entries, and dots
 * would climb: both come from a variable that was never set.
 */
export declare function segment(name: string, value: string): string;
