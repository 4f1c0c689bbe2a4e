// Which time zones and languages an account may be set to. Both are judged by what exists, not by
// shape alone, so that nobody finds out on a statement that `xx` was never a language.

import { timeZoneNames } from './time-zone-names.ts'

/**
 * `UTC`, or a place as the IANA database names it, letter for letter: `Intl` would take
 * `europe/berlin`, but other programs that read the setting look a file up by that name.
 *
 * Refused are the names that stand for no place: abbreviations (`EST` is now a link to Panama),
 * offsets (`+02:00`), `Etc/GMT+5` (which is five hours *behind* UTC, a trap), and countries in the
 * place of the area (`US/Pacific`), which Linux distributions have begun to leave out. `Etc/UTC` is
 * only another name of UTC, and the one many machines are set to.
 */
export function isTimeZone(name: string): boolean {
  return name === 'UTC' || name === 'Etc/UTC' || timeZoneNames.has(name)
}

// What RFC 5646 says a reader must be able to hold. Private-use parts could go on for ever.
const language_length_max = 35

/**
 * A well-formed BCP 47 tag whose language, and script and region if it names them, exist. Case is
 * free, as in BCP 47. Tags that say there is no one language (`und`, `mul`, `zxx`) and tags of
 * private use alone (`x-…`) name nothing to write in. The grandfathered `i-…` tags are refused with
 * `Intl`, which does not know them: `tlh` has been Klingon since 2004. `eng` is read as `en`.
 */
export function isLanguage(tag: string): boolean {
  if (tag.length > language_length_max) return false
  const locale = findLocale(tag)
  if (locale === undefined) return false
  const { language, script, region } = locale
  return (
    isKnownLanguage(language) &&
    (script === undefined || isKnown('script', script, noScripts)) &&
    (region === undefined || isKnown('region', region, noRegions))
  )
}

/** The tag taken apart in canonical form, in which retired codes have become today's. */
function findLocale(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag)
  } catch {
    return undefined
  }
}

function isKnownLanguage(language: string): boolean {
  return twoLetterLanguages.has(language) || isKnown('language', language, noLanguages)
}

// ISO 639-1, to which nothing has been added since 2003, so that the languages nearly everyone uses
// do not depend on how much data this Node was built with. Of the thousands with three letters,
// `Intl` knows some 500 by name, and that is a good measure of what can be asked for.
const twoLetterLanguages = new Set(
  `aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de
   dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia
   id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo
   lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl
   ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk
   tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu`.split(/\s+/),
)

// `Intl` has names for these, and the names say that they are nothing.
const noLanguages = new Set(['und', 'mul', 'zxx', 'mis'])
const noScripts = new Set(['Zzzz', 'Zyyy', 'Zxxx', 'Zinh'])
const noRegions = new Set(['ZZ', 'XA', 'XB'])

type SubtagKind = 'language' | 'script' | 'region'

const names: Partial<Record<SubtagKind, Intl.DisplayNames>> = {}

function isKnown(kind: SubtagKind, subtag: string, nothings: ReadonlySet<string>): boolean {
  names[kind] ??= new Intl.DisplayNames('en', { type: kind, fallback: 'none' })
  return !nothings.has(subtag) && names[kind].of(subtag) !== undefined
}
