/**
 * Encodes a path segment. An empty id, usually an unset variable, would request the list instead of
 * one entry, and dots would change the path.
 */
export function segment(name, value) {
    if (typeof value === 'string' && value !== '' && value !== '.' && value !== '..') {
        return encodeURIComponent(value);
    }
    throw new TypeError(`"${name}" must be an id; got ${JSON.stringify(value)}.`);
}
