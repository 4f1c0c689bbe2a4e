/**
 * A part of a path. An empty one would ask for the list instead of one of its entries, and dots
 * would climb: both come from a variable that was never set.
 */
export function segment(name, value) {
    if (typeof value === 'string' && value !== '' && value !== '.' && value !== '..') {
        return encodeURIComponent(value);
    }
    throw new TypeError(`${name} must be an id, but it is ${JSON.stringify(value)}.`);
}
