// The base URL of a server. The result is the parser's normalized form, because only that was
// checked: the parser accepts `https:pay` and `https:\\pay`, and drops a lone `?`.

/** The URL without trailing slashes, or the rule that the text violates. */
export type WebAddress = { url: string } | { rule: string }

const rule = 'must be an http or https URL such as https://pay.example.com'

export function parseWebAddress(text: string): WebAddress {
  // The parser would silently drop white space and control characters.
  if (/[\s\p{Cc}]/u.test(text)) return { rule: `${rule}, without spaces` }
  // Credentials would appear in every link.
  if (/^https?:\/\/[^/?#\\]*@/i.test(text)) {
    return { rule: `${rule}, without a user name or password` }
  }
  const url = /^https?:\/\/[^/\\][^\\]*$/i.test(text) ? URL.parse(text) : null
  if (url === null) return { rule }
  if (/[?#]/.test(text)) return { rule: `${rule}, without ? or #` }
  return { url: url.href.replace(/\/+$/, '') }
}

/** Whether a host name or address, as in HOST or in a URL, always means this machine. */
export function isLoopbackName(name: string): boolean {
  const is_bare_v6 = name.includes(':') && !name.startsWith('[')
  const host = URL.parse(`http://${is_bare_v6 ? `[${name}]` : name}`)?.hostname
  return host !== undefined && /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])\.?$/.test(host)
}
