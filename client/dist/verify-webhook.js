// Verifies webhook signatures (Standard Webhooks) with WebCrypto, which every runtime provides.
import { FlorinError } from './florin-error.js';
// Allows for clock skew, and limits how long a recorded webhook can be replayed.
const default_tolerance_s = 300;
/**
 * Returns the event if `body` was signed with the secret, or one of several, within the last five
 * minutes. Throws a FlorinError `webhook_verification_failed` otherwise. Pass the raw body: JSON
 * that was parsed and serialized again has a different signature.
 */
export async function verifyWebhook(body, headers, secret, { tolerance_s = default_tolerance_s } = {}) {
    const keys = await Promise.all([secret].flat().map(importKey));
    const id = getHeader(headers, 'webhook-id');
    const timestamp = getHeader(headers, 'webhook-timestamp');
    const signatures = readSignatures(getHeader(headers, 'webhook-signature'));
    requireRecent(timestamp, tolerance_s);
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
    const signed = join(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
    for (const key of keys) {
        for (const signature of signatures) {
            // Compares in constant time, as the WebCrypto of every runtime does.
            if (await crypto.subtle.verify('HMAC', key, signature, signed))
                return parse(bytes);
        }
    }
    throw verificationFailed('No signature matches. Check the secret of the endpoint, and pass the raw body.');
}
function verificationFailed(message) {
    return new FlorinError('webhook_verification_failed', message);
}
async function importKey(secret) {
    const bytes = decodeBase64(secret.replace(/^whsec_/, ''));
    if (bytes === undefined || bytes.length === 0) {
        throw new TypeError('A webhook secret must be "whsec_" followed by base64.');
    }
    return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}
function getHeader(headers, name) {
    const found = headers instanceof Headers ? headers.get(name) : findHeader(headers, name);
    if (typeof found === 'string' && found !== '')
        return found;
    throw verificationFailed(`The header "${name}" is missing. Florin sends it with every webhook.`);
}
/** Node.js has lower-case names; some frameworks keep the original case. */
function findHeader(headers, name) {
    const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
    return Array.isArray(entry?.[1]) ? entry[1].join(' ') : entry?.[1];
}
/** Reads the v1 signatures from `v1,… v1,…`. There are two while a secret is rotated. */
function readSignatures(text) {
    return text
        .split(' ')
        .filter((one) => one.startsWith('v1,'))
        .flatMap((one) => decodeBase64(one.slice(3)) ?? []);
}
function requireRecent(timestamp, tolerance_s) {
    const difference_s = Math.abs(Date.now() / 1000 - Number(timestamp));
    if (/^\d{1,12}$/.test(timestamp) && difference_s <= tolerance_s)
        return;
    throw verificationFailed(`"webhook-timestamp" must be within ${tolerance_s} s of the local clock; got "${timestamp}". ` +
        'The webhook may be replayed, or the clock may be wrong.');
}
function parse(bytes) {
    return JSON.parse(new TextDecoder().decode(bytes));
}
function join(first, second) {
    const joined = new Uint8Array(first.length + second.length);
    joined.set(first);
    joined.set(second, first.length);
    return joined;
}
function decodeBase64(text) {
    try {
        return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    }
    catch {
        return undefined;
    }
}
