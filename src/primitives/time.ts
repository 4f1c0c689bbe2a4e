// Timestamps. Output is RFC 3339 in UTC with milliseconds. Input is accepted only if it
// round-trips: JavaScript turns 2026-02-30 into March 2, and PostgreSQL accepts `now` and
// `infinity` as dates, so neither parses a caller's text.

const day_ms = 86_400_000

const twoDigits = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))
const milliseconds = Array.from({ length: 1000 }, (_, n) => `.${String(n).padStart(3, '0')}Z`)

let rendered_day = Number.NaN
let rendered_date = ''

/**
 * UTC, milliseconds, `Z`. The rows of a page are from few days, so the date is cached between calls
 * and the time of day comes from tables: 0.2 µs, where `toISOString` takes 1.0 µs.
 */
export function toIso(date: Date | number): string {
  const at_ms = typeof date === 'number' ? Math.trunc(date) : date.getTime()
  const day = Math.floor(at_ms / day_ms)
  if (day !== rendered_day) {
    rendered_date = new Date(at_ms).toISOString().slice(0, -13)
    rendered_day = day
  }
  const in_day_ms = at_ms - day * day_ms
  const hour = twoDigits[(in_day_ms / 3_600_000) | 0]
  const minute = twoDigits[((in_day_ms / 60_000) | 0) % 60]
  const second = twoDigits[((in_day_ms / 1000) | 0) % 60]
  return `${rendered_date}${hour}:${minute}:${second}${milliseconds[in_day_ms % 1000]}`
}

const shape =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d)))?$/

/**
 * The instant of a range bound, or undefined for anything but a strict RFC 3339 date or date-time.
 * A date means its first millisecond as a first bound and its last millisecond as a last bound.
 *
 * Stored times are whole milliseconds and bounds are inclusive, so fractions of a millisecond are
 * rounded into the range: .0001 s becomes .001 s in a first bound and .000 s in a last bound.
 *
 * Leap seconds (`:60`) are rejected: a Date cannot represent them, and there has been none since
 * 2016. A UTC year outside of 0001 to 9999 is rejected too, because it does not fit four digits.
 */
export function parseTimestamp(text: string, edge: 'first' | 'last'): Date | undefined {
  const parts = shape.exec(text)
  if (parts === null) return undefined
  const start_ms = startOfDay(Number(parts[1]), Number(parts[2]), Number(parts[3]))
  if (start_ms === undefined) return undefined
  if (parts[4] === undefined) return new Date(edge === 'first' ? start_ms : start_ms + day_ms - 1)

  const in_day_ms = timeOfDay(Number(parts[4]), Number(parts[5]), Number(parts[6]))
  const offset_ms = offsetOf(parts[8], Number(parts[9] ?? 0), Number(parts[10] ?? 0))
  if (in_day_ms === undefined || offset_ms === undefined) return undefined

  const second_ms = start_ms + in_day_ms - offset_ms
  const year = new Date(second_ms).getUTCFullYear()
  if (year < 1 || year > 9999) return undefined
  return new Date(second_ms + fraction(parts[7] ?? '', edge))
}

function startOfDay(year: number, month: number, day: number): number | undefined {
  if (year === 0) return undefined
  // Not Date.UTC, which maps the years 0 to 99 to 1900 to 1999.
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined
}

function timeOfDay(hour: number, minute: number, second: number): number | undefined {
  if (hour > 23 || minute > 59 || second > 59) return undefined
  return ((hour * 60 + minute) * 60 + second) * 1000
}

function offsetOf(sign: string | undefined, hour: number, minute: number): number | undefined {
  if (hour > 23 || minute > 59) return undefined
  return (sign === '-' ? -1 : 1) * (hour * 60 + minute) * 60_000
}

function fraction(digits: string, edge: 'first' | 'last'): number {
  const whole_ms = Number(digits.slice(0, 3).padEnd(3, '0'))
  const finer = /[1-9]/.test(digits.slice(3))
  return edge === 'first' && finer ? whole_ms + 1 : whole_ms
}

// Wall-clock time of a time zone, from `Intl`. A wall time is represented as the epoch milliseconds
// of the same clock reading in UTC, so date arithmetic can ignore zones.

/** The wall time in this zone at this instant. */
export function wallTimeAt(at_ms: number, zone: string): number {
  return at_ms + offsetAt(at_ms, zone)
}

/** RFC 3339 with the zone's offset: 2026-11-15T10:30:00.000+01:00. UTC is +00:00. */
export function toLocalIso(at: Date | string, zone: string): string {
  const at_ms = new Date(at).getTime()
  const offset_min = Math.round(offsetAt(at_ms, zone) / 60_000)
  const two = (n: number) => String(Math.abs(n)).padStart(2, '0')
  const sign = offset_min < 0 ? '-' : '+'
  const offset = `${sign}${two(Math.trunc(offset_min / 60))}:${two(offset_min % 60)}`
  return toIso(at_ms + offset_min * 60_000).replace('Z', offset)
}

/**
 * The instant of a wall time in this zone. If two exist (clocks were set back), it is the
 * first. A wall time that clocks skipped is moved by the same amount: 02:30 becomes 03:30.
 */
export function instantOfWallTime(wall_ms: number, zone: string): number {
  // No zone changes its offset twice within two days, so if a match exists, it is one of these.
  const before = wall_ms - offsetAt(wall_ms - day_ms, zone)
  const after = wall_ms - offsetAt(wall_ms + day_ms, zone)
  const shown = [before, after].filter((at_ms) => wallTimeAt(at_ms, zone) === wall_ms)
  return shown.length === 0 ? before : Math.min(...shown)
}

/** The offset from UTC in milliseconds. */
function offsetAt(at_ms: number, zone: string): number {
  if (zone === 'UTC' || zone === 'Etc/UTC') return 0
  const second_ms = Math.floor(at_ms / 1000) * 1000
  const [month, day, year, hour, minute, second] = clockFormat(zone)
    .format(second_ms)
    .match(/\d+/g)!
    .map(Number) as [number, number, number, number, number, number]
  return Date.UTC(year, month - 1, day, hour, minute, second) - second_ms
}

// A format takes 98 µs to create and 2 µs to use. All zones (about 600) can be cached.
const clockFormats = new Map<string, Intl.DateTimeFormat>()

function clockFormat(zone: string): Intl.DateTimeFormat {
  let format = clockFormats.get(zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    clockFormats.set(zone, format)
  }
  return format
}

/**
 * A time in the reader's language and the account's time zone.
 * Includes the hour, because a deadline within a day must not look like the end of that day, and
 * the zone, because readers may be in other zones.
 */
export function timeText(at: string | Date, locale: string, timezone: string): string {
  return textFormat(locale, timezone).format(new Date(at))
}

const textFormats = new Map<string, Intl.DateTimeFormat>()

// Bounded like the cache for amounts: creating a format is slow, and callers choose the keys.
const text_formats_max = 1_000

function textFormat(locale: string, timezone: string): Intl.DateTimeFormat {
  const name = `${locale} ${timezone}`
  const known = textFormats.get(name)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat([locale, 'en'], {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: timezone,
    timeZoneName: 'short',
  })
  if (textFormats.size >= text_formats_max) textFormats.clear()
  textFormats.set(name, format)
  return format
}

const unit_s: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

const durationShape = /^(\d{1,12})([smhdw])$/

/** Seconds of a duration on the command line (90s, 45m, 12h, 3d, 2w), or undefined. */
export function parseDuration(text: string): number | undefined {
  const parts = durationShape.exec(text)
  return parts === null ? undefined : Number(parts[1]) * unit_s[parts[2]!]!
}

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

// The time zones of the IANA database that are named after a location: every zone and alias whose
// area is a continent or an ocean, in the exact spelling. Aliases are included because they stay in
// use (Asia/Calcutta, Europe/Kiev), and because a name and its alias may swap roles.
//
// The list of `Intl` is not used: it lacks aliases, prefers older names, and changes with Node.
// About one name is added per year, and none is removed. The names are from release 2026c, which
// Node 26 includes.

const locationsByArea: Readonly<Record<string, string>> = {
  Africa: `
    Abidjan Accra Addis_Ababa Algiers Asmara Asmera Bamako Bangui Banjul Bissau Blantyre
    Brazzaville Bujumbura Cairo Casablanca Ceuta Conakry Dakar Dar_es_Salaam Djibouti Douala
    El_Aaiun Freetown Gaborone Harare Johannesburg Juba Kampala Khartoum Kigali Kinshasa Lagos
    Libreville Lome Luanda Lubumbashi Lusaka Malabo Maputo Maseru Mbabane Mogadishu Monrovia
    Nairobi Ndjamena Niamey Nouakchott Ouagadougou Porto-Novo Sao_Tome Timbuktu Tripoli Tunis
    Windhoek`,
  America: `
    Adak Anchorage Anguilla Antigua Araguaina Argentina/Buenos_Aires Argentina/Catamarca
    Argentina/ComodRivadavia Argentina/Cordoba Argentina/Jujuy Argentina/La_Rioja
    Argentina/Mendoza Argentina/Rio_Gallegos Argentina/Salta Argentina/San_Juan
    Argentina/San_Luis Argentina/Tucuman Argentina/Ushuaia Aruba Asuncion Atikokan Atka Bahia
    Bahia_Banderas Barbados Belem Belize Blanc-Sablon Boa_Vista Bogota Boise Buenos_Aires
    Cambridge_Bay Campo_Grande Cancun Caracas Catamarca Cayenne Cayman Chicago Chihuahua
    Ciudad_Juarez Coral_Harbour Cordoba Costa_Rica Coyhaique Creston Cuiaba Curacao Danmarkshavn
    Dawson Dawson_Creek Denver Detroit Dominica Edmonton Eirunepe El_Salvador Ensenada
    Fort_Nelson Fort_Wayne Fortaleza Glace_Bay Godthab Goose_Bay Grand_Turk Grenada Guadeloupe
    Guatemala Guayaquil Guyana Halifax Havana Hermosillo Indiana/Indianapolis Indiana/Knox
    Indiana/Marengo Indiana/Petersburg Indiana/Tell_City Indiana/Vevay Indiana/Vincennes
    Indiana/Winamac Indianapolis Inuvik Iqaluit Jamaica Jujuy Juneau Kentucky/Louisville
    Kentucky/Monticello Knox_IN Kralendijk La_Paz Lima Los_Angeles Louisville Lower_Princes
    Maceio Managua Manaus Marigot Martinique Matamoros Mazatlan Mendoza Menominee Merida
    Metlakatla Mexico_City Miquelon Moncton Monterrey Montevideo Montreal Montserrat Nassau
    New_York Nipigon Nome Noronha North_Dakota/Beulah North_Dakota/Center North_Dakota/New_Salem
    Nuuk Ojinaga Panama Pangnirtung Paramaribo Phoenix Port-au-Prince Port_of_Spain Porto_Acre
    Porto_Velho Puerto_Rico Punta_Arenas Rainy_River Rankin_Inlet Recife Regina Resolute
    Rio_Branco Rosario Santa_Isabel Santarem Santiago Santo_Domingo Sao_Paulo Scoresbysund
    Shiprock Sitka St_Barthelemy St_Johns St_Kitts St_Lucia St_Thomas St_Vincent Swift_Current
    Tegucigalpa Thule Thunder_Bay Tijuana Toronto Tortola Vancouver Virgin Whitehorse Winnipeg
    Yakutat Yellowknife`,
  Antarctica: `
    Casey Davis DumontDUrville Macquarie Mawson McMurdo Palmer Rothera South_Pole Syowa Troll
    Vostok`,
  Arctic: 'Longyearbyen',
  Asia: `
    Aden Almaty Amman Anadyr Aqtau Aqtobe Ashgabat Ashkhabad Atyrau Baghdad Bahrain Baku Bangkok
    Barnaul Beirut Bishkek Brunei Calcutta Chita Choibalsan Chongqing Chungking Colombo Dacca
    Damascus Dhaka Dili Dubai Dushanbe Famagusta Gaza Harbin Hebron Ho_Chi_Minh Hong_Kong Hovd
    Irkutsk Istanbul Jakarta Jayapura Jerusalem Kabul Kamchatka Karachi Kashgar Kathmandu
    Katmandu Khandyga Kolkata Krasnoyarsk Kuala_Lumpur Kuching Kuwait Macao Macau Magadan
    Makassar Manila Muscat Nicosia Novokuznetsk Novosibirsk Omsk Oral Phnom_Penh Pontianak
    Pyongyang Qatar Qostanay Qyzylorda Rangoon Riyadh Saigon Sakhalin Samarkand Seoul Shanghai
    Singapore Srednekolymsk Taipei Tashkent Tbilisi Tehran Tel_Aviv Thimbu Thimphu Tokyo Tomsk
    Ujung_Pandang Ulaanbaatar Ulan_Bator Urumqi Ust-Nera Vientiane Vladivostok Yakutsk Yangon
    Yekaterinburg Yerevan`,
  Atlantic: `
    Azores Bermuda Canary Cape_Verde Faeroe Faroe Jan_Mayen Madeira Reykjavik South_Georgia
    St_Helena Stanley`,
  Australia: `
    ACT Adelaide Brisbane Broken_Hill Canberra Currie Darwin Eucla Hobart LHI Lindeman Lord_Howe
    Melbourne NSW North Perth Queensland South Sydney Tasmania Victoria West Yancowinna`,
  Europe: `
    Amsterdam Andorra Astrakhan Athens Belfast Belgrade Berlin Bratislava Brussels Bucharest
    Budapest Busingen Chisinau Copenhagen Dublin Gibraltar Guernsey Helsinki Isle_of_Man
    Istanbul Jersey Kaliningrad Kiev Kirov Kyiv Lisbon Ljubljana London Luxembourg Madrid Malta
    Mariehamn Minsk Monaco Moscow Nicosia Oslo Paris Podgorica Prague Riga Rome Samara
    San_Marino Sarajevo Saratov Simferopol Skopje Sofia Stockholm Tallinn Tirane Tiraspol
    Ulyanovsk Uzhgorod Vaduz Vatican Vienna Vilnius Volgograd Warsaw Zagreb Zaporozhye Zurich`,
  Indian:
    'Antananarivo Chagos Christmas Cocos Comoro Kerguelen Mahe Maldives Mauritius Mayotte Reunion',
  Pacific: `
    Apia Auckland Bougainville Chatham Chuuk Easter Efate Enderbury Fakaofo Fiji Funafuti
    Galapagos Gambier Guadalcanal Guam Honolulu Johnston Kanton Kiritimati Kosrae Kwajalein
    Majuro Marquesas Midway Nauru Niue Norfolk Noumea Pago_Pago Palau Pitcairn Pohnpei Ponape
    Port_Moresby Rarotonga Saipan Samoa Tahiti Tarawa Tongatapu Truk Wake Wallis Yap`,
}

// Pure, so that a bundle without isTimeZone omits the table.
export const timeZoneNames: ReadonlySet<string> = /* @__PURE__ */ namesOf(locationsByArea)

function namesOf(locations_by_area: Readonly<Record<string, string>>): Set<string> {
  const names = Object.entries(locations_by_area).flatMap(([area, locations]) =>
    locations
      .trim()
      .split(/\s+/)
      .map((location) => `${area}/${location}`),
  )
  return new Set(names)
}
