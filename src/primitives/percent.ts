// Percent-escapes of addresses and forms. decodeURIComponent throws where one does not decode, and
// the stack of an error takes longer than everything else: 65 000 of them in one form, a third of a
// second for everybody. So they are judged first.

const next = '%[89ab][0-9a-f]'

// A character that is no escape, or the escapes of one character of UTF-8, as it may be written.
const decodable = new RegExp(
  '^(?:[^%]|%[0-7][0-9a-f]' +
    `|%(?:c[2-9a-f]|d[0-9a-f])${next}` +
    `|%(?:e0%[ab][0-9a-f]|e[1-9a-cef]${next}|ed%[89][0-9a-f])${next}` +
    `|%(?:f0%[9ab][0-9a-f]|f[1-3]${next}|f4%8[0-9a-f])${next}${next})*$`,
  'i',
)

/** Undefined where an escape does not decode. */
export function decodePercent(text: string): string | undefined {
  if (!text.includes('%')) return text
  return decodable.test(text) ? decodeURIComponent(text) : undefined
}
