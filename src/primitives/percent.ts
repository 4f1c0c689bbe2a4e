// Percent-decoding for URLs and forms. decodeURIComponent throws for an invalid escape, and an
// error with its stack is slow: 65,000 of them in one form block the event loop for a third of a
// second. So escapes are validated first.

const next = '%[89ab][0-9a-f]'

// A literal character, or the escapes of one character in valid UTF-8.
const decodable = new RegExp(
  '^(?:[^%]|%[0-7][0-9a-f]' +
    `|%(?:c[2-9a-f]|d[0-9a-f])${next}` +
    `|%(?:e0%[ab][0-9a-f]|e[1-9a-cef]${next}|ed%[89][0-9a-f])${next}` +
    `|%(?:f0%[9ab][0-9a-f]|f[1-3]${next}|f4%8[0-9a-f])${next}${next})*$`,
  'i',
)

/** Undefined if an escape is invalid. */
export function decodePercent(text: string): string | undefined {
  if (!text.includes('%')) return text
  return decodable.test(text) ? decodeURIComponent(text) : undefined
}
