// Texts in the character set that every bank in the SEPA accepts (EPC217-08): Latin letters, digits
// and a few signs. Others are transliterated, so that names stay readable.

import { cutText } from '../primitives/text.ts'

const unlikeNormalized: Record<string, string> = {
  ...tableOf('ä=ae ö=oe ü=ue ß=ss æ=ae ø=oe œ=oe þ=th ð=d đ=d ł=l ħ=h ŧ=t ŋ=n ı=i ĳ=ij ŀ=l ĸ=k'),
  // Greek as in ISO 843, and Cyrillic as in the table for Bulgarian, extended by other languages.
  ...tableOf('α=a β=v γ=g δ=d ε=e ζ=z η=i θ=th ι=i κ=k λ=l μ=m ν=n ξ=x ο=o π=p ρ=r σ=s ς=s τ=t'),
  ...tableOf('υ=y φ=f χ=ch ψ=ps ω=o'),
  ...tableOf('а=a б=b в=v г=g д=d е=e ж=zh з=z и=i й=y к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u'),
  ...tableOf('ф=f х=h ц=ts ч=ch ш=sh щ=sht ъ=a ы=y ь=y э=e ю=yu я=ya ё=yo і=i ї=yi є=ye ґ=g'),
  ...tableOf('ђ=dj ј=j љ=lj њ=nj ћ=c џ=dz ѓ=g ќ=k ѕ=dz'),
  ...{ '&': '+', _: '-', '–': '-', '—': '-', '’': "'", '‘': "'", '"': "'", '“': "'", '”': "'" },
  ...{ '„': "'", '`': "'", '´': "'", ';': ',', '!': '.', '[': '(', ']': ')', '€': 'EUR' },
}

function tableOf(text: string): Record<string, string> {
  const pairs = text.split(' ').map((pair) => pair.split('=') as [string, string])
  return Object.fromEntries(
    pairs.flatMap(([from, to]) => [
      [from, to],
      // ß has no single upper case.
      ...(from === 'ß'
        ? [['ẞ', 'SS']]
        : [[from.toUpperCase(), to[0]!.toUpperCase() + to.slice(1)]]),
    ]),
  )
}

const allowed = /^[A-Za-z0-9/?:().,'+ -]$/

/**
 * At most `length_max` characters of the set; a character without a counterpart becomes a dot.
 * Undefined if only signs are left, which a bank would reject.
 */
export function toSepaText(text: string, length_max: number): string | undefined {
  const written = [...text.normalize('NFC')].map(transliterate).join('')
  const plain = cutText(written.replace(/\s+/g, ' ').trim(), length_max).trim()
  return /[A-Za-z0-9]/.test(plain) ? plain : undefined
}

function transliterate(character: string): string {
  if (allowed.test(character)) return character
  const direct = unlikeNormalized[character]
  if (direct !== undefined) return direct
  if (/\s/.test(character)) return ' '
  // Characters with accents, ligatures and full-width forms.
  const parts = [...character.normalize('NFKD')].filter((part) => !/\p{M}/u.test(part))
  const converted = parts.map((part) => (allowed.test(part) ? part : unlikeNormalized[part]))
  return converted.length > 0 && !converted.includes(undefined) ? converted.join('') : '.'
}

/**
 * An id for a payment file: banks accept 35 characters, no slash at the start or end, and no two in
 * a row. The underscore of our ids becomes a dash, which the matching ignores.
 */
export function toSepaId(id: string): string | undefined {
  const plain = id.replaceAll('_', '-')
  const is_valid = /^[A-Za-z0-9/?:().,'+ -]{1,35}$/.test(plain) && !/^\/|\/\/|\/$|^ | $/.test(plain)
  return is_valid ? plain : undefined
}
