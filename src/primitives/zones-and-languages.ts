// The time zones and languages that an account can use. Both must exist: a well-formed but unknown
// code such as `xx` would only be noticed on a statement.

import { timeZoneNames } from './time-zone-names.ts'

/**
 * `UTC`, or a city of the IANA database in its exact spelling: `Intl` accepts `europe/berlin`, but
 * other programs that read the setting open a file of that name.
 *
 * Rejects names that are not a location: abbreviations (`EST` is now a link to Panama), offsets
 * (`+02:00`), `Etc/GMT+5` (which is five hours *behind* UTC), and countries instead of areas
 * (`US/Pacific`), which some Linux distributions omit. `Etc/UTC` is an alias of UTC and the setting
 * of many machines.
 */
export function isTimeZone(name: string): boolean {
  return name === 'UTC' || name === 'Etc/UTC' || timeZoneNames.has(name)
}

// The length that RFC 5646 requires implementations to support. Private-use subtags have no limit.
const language_length_max = 35

/**
 * A well-formed BCP 47 tag, in any case, whose language, script and region exist. Rejects tags that
 * do not identify one language (`und`, `mul`, `zxx`), private-use tags (`x-…`) and the
 * grandfathered `i-…` tags, which `Intl` does not support. `eng` is accepted as `en`.
 */
export function isLanguage(tag: string): boolean {
  if (tag.length > language_length_max) return false
  const locale = findLocale(tag)
  if (locale === undefined) return false
  const { language, script, region } = locale
  return (
    isKnownLanguage(language) &&
    (script === undefined || isKnown('script', script, specialScripts)) &&
    (region === undefined || isKnown('region', region, specialRegions))
  )
}

/** The parsed tag in canonical form, which replaces retired codes. */
function findLocale(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag)
  } catch {
    return undefined
  }
}

function isKnownLanguage(language: string): boolean {
  return iso639Languages.has(language) || isKnown('language', language, specialLanguages)
}

// ISO 639-1, unchanged since 2003. It is listed here so that common languages do not depend on the
// ICU data of this Node build. Longer codes are accepted if `Intl` has a name for them (about 500).
const iso639Languages = new Set(
  `aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de
   dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia
   id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo
   lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl
   ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk
   tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu`.split(/\s+/),
)

// `Intl` has names for these codes, but they do not identify a language, script or region.
const specialLanguages = new Set(['und', 'mul', 'zxx', 'mis'])
const specialScripts = new Set(['Zzzz', 'Zyyy', 'Zxxx', 'Zinh'])
const specialRegions = new Set(['ZZ', 'XA', 'XB'])

type SubtagKind = 'language' | 'script' | 'region'

const names: Partial<Record<SubtagKind, Intl.DisplayNames>> = {}

function isKnown(kind: SubtagKind, subtag: string, special: ReadonlySet<string>): boolean {
  names[kind] ??= new Intl.DisplayNames('en', { type: kind, fallback: 'none' })
  return !special.has(subtag) && names[kind].of(subtag) !== undefined
}
