// Whether a webhook came from Florin: Standard Webhooks, with the WebCrypto that every runtime has.
import { FlorinError } from './florin-error.js';
// Long enough for clocks that differ, short enough that a recorded webhook is soon worth nothing.
const usual_tolerance_s = 300;
/**
 * The event, when `body` was signed with the secret, or with one of several, within the last five
 * minutes; otherwise a FlorinError `webhook_verification_failed`. The body must be the very bytes that
 * came: JSON that was parsed and written again signs differently.
 */
export async function verifyWebhook(body, headers, secret, { tolerance_s = usual_tolerance_s } = {}) {
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
    throw notGenuine('No signature fits. Is this the secret of this endpoint, and the body unchanged?');
}
function notGenuine(message) {
    return new FlorinError('webhook_verification_failed', message);
}
async function importKey(secret) {
    const bytes = decodeBase64(secret.replace(/^whsec_/, ''));
    if (bytes === undefined || bytes.length === 0) {
        throw new TypeError('A webhook secret is whsec_ and base64, as Florin showed it once.');
    }
    return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}
function getHeader(headers, name) {
    const found = headers instanceof Headers ? headers.get(name) : findHeader(headers, name);
    if (typeof found === 'string' && found !== '')
        return found;
    throw notGenuine(`The header ${name} is missing. Florin sends it with every webhook.`);
}
/** Node has names in lower case; other frameworks keep them as they came. */
function findHeader(headers, name) {
    const entry = Object.entries(headers).find(([given]) => given.toLowerCase() === name);
    return Array.isArray(entry?.[1]) ? entry[1].join(' ') : entry?.[1];
}
/** Of `v1,… v1,…` those that we can check: there are two while a secret is rotated. */
function readSignatures(text) {
    return text
        .split(' ')
        .filter((one) => one.startsWith('v1,'))
        .flatMap((one) => decodeBase64(one.slice(3)) ?? []);
}
function requireRecent(timestamp, tolerance_s) {
    const apart_s = Math.abs(Date.now() / 1000 - Number(timestamp));
    if (/^\d{1,12}$/.test(timestamp) && apart_s <= tolerance_s)
        return;
    throw notGenuine(`webhook-timestamp is not within ${tolerance_s} s of this machine's clock. ` +
        'It may be an old webhook that was sent again, or the clock is wrong.');
}
function parse(bytes) {
    return JSON.parse(new TextDecoder().decode(bytes));
}
function join(first, second) {
    const whole = new Uint8Array(first.length + second.length);
    whole.set(first);
    whole.set(second, first.length);
    return whole;
}
function decodeBase64(text) {
    try {
        return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    }
    catch {
        return undefined;
    }
}
