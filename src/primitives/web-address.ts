// The address of a server, which paths are put behind. What comes back is what the parser
// understood, since that is all that was checked: it reads `https:pay` and `https:\\pay` as
// addresses, drops a lone `?`, and knows `HTTPS`.

/** Without slashes at its end; or the rule that the text breaks. */
export type WebAddress = { url: string } | { rule: string }

const likeness = 'must be an http or https address such as https://pay.example.com'

export function parseWebAddress(text: string): WebAddress {
  // The parser leaves white space and control characters out, wherever they stand.
  if (/[\s\p{Cc}]/u.test(text)) return { rule: `${likeness}, without spaces` }
  // They would stand in every link.
  if (/^https?:\/\/[^/?#\\]*@/i.test(text)) {
    return { rule: `${likeness}, without user name and password` }
  }
  const url = /^https?:\/\/[^/\\][^\\]*$/i.test(text) ? URL.parse(text) : null
  if (url === null) return { rule: likeness }
  if (/[?#]/.test(text)) return { rule: `${likeness}, without ? or #` }
  return { url: url.href.replace(/\/+$/, '') }
}

/** Whether a host name or address, as in HOST or in a URL, can only mean this machine. */
export function isLoopbackName(name: string): boolean {
  const is_bare_v6 = name.includes(':') && !name.startsWith('[')
  const host = URL.parse(`http://${is_bare_v6 ? `[${name}]` : name}`)?.hostname
  return host !== undefined && /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])\.?$/.test(host)
}
