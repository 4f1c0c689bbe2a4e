// Damages a file in a reproducible way.

const tokens = [
  ...['<', '>', '&', '"', "'", '/', '<!--', '-->', '<![CDATA[', ']]>', '<?x?>', '<!DOCTYPE x>'],
  ...['&amp;', '&#65;', '&#0;', '&x;', '<a/>', '</a>', ' a="1"', ' xmlns="y"', 'x:', '\u0000'],
  ...['\n', '\r', ';', ',', '.', '-', '+', '0', '99999999999999999999', '1e9', 'NaN', '2026-02-30'],
  ...[
    ':20:',
    ':61:',
    ':86:',
    ':62F:',
    '-}',
    '?20',
    '//',
    'RC',
    '<STMTTRN>',
    '</STMTTRN>',
    'ü',
    '€',
  ],
]

/** One to three changes: a deletion, an insertion, a copy, or another character. */
export function mutate(text: string, seed: number): string {
  let state = seed * 2_654_435_761 + 1
  const below = (limit: number) => {
    // xorshift32.
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % limit
  }
  let changed = text
  for (let left = 1 + below(3); left > 0; left--) {
    const at = below(changed.length + 1)
    const [before, after] = [changed.slice(0, at), changed.slice(at)]
    const kind = below(5)
    if (kind === 0) changed = before + after.slice(1 + below(20))
    else if (kind === 1) changed = before + tokens[below(tokens.length)]! + after
    else if (kind === 2) changed = before + after.slice(0, below(200)) + after
    else if (kind === 3) changed = before + String.fromCharCode(below(256)) + after.slice(1)
    else changed = below(10) === 0 ? before : `${before} ${after}`
  }
  return changed
}
