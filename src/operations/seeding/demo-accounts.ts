// Demo accounts: businesses and people with plausible names. Email addresses use domains reserved
// for examples, so no email is ever delivered.

import type { AccountSettings, AccountType } from '../../accounts/account.ts'
import type { Random } from './random.ts'

interface DemoAccount {
  name: string
  type: AccountType
  email: string
  owner_name: string
  settings: AccountSettings
  /** The median payment, in minor units. */
  median_amount: number
}

/** The tag makes the email unique, because two accounts can have the same name. */
export function demoAccount(random: Random, tag: string): DemoAccount {
  const region = pickRegion(random)
  const first = random.pick(firstNames)
  const last = random.pick(lastNames)
  const person = `${first} ${last}`
  const { currency, timezone, language } = region
  const settings = { currency, timezone, language }
  // Businesses differ in their typical amounts.
  const median_amount = Math.max(100, Math.round(random.logNormal(region.median_amount, 0.6)))
  if (random.chance(0.2)) {
    const email = `${slug(first)}.${slug(last)}.${tag}@${random.pick(domains)}`
    return { name: person, type: 'individual', email, owner_name: person, settings, median_amount }
  }
  const shop = `${random.pick(firstWords)} ${random.pick(trades)}`
  return {
    name: `${shop} ${region.company}`.trim(),
    type: 'business',
    email: `${random.pick(desks)}@${slug(shop)}-${tag}.example`,
    owner_name: person,
    settings,
    median_amount,
  }
}

interface Region extends AccountSettings {
  /** The percentage of accounts in this region. */
  share: number
  median_amount: number
  company: string
}

const regions: Region[] = [
  region(40, 'USD', 4_500, 'America/New_York', 'en-US', 'LLC'),
  region(25, 'EUR', 4_200, 'Europe/Berlin', 'de', 'GmbH'),
  region(12, 'GBP', 3_800, 'Europe/London', 'en-GB', 'Ltd'),
  region(8, 'EUR', 3_600, 'Europe/Lisbon', 'pt-PT', 'Lda'),
  region(5, 'SEK', 45_000, 'Europe/Stockholm', 'sv', 'AB'),
  region(5, 'CHF', 5_400, 'Europe/Zurich', 'de-CH', 'AG'),
  region(3, 'JPY', 5_200, 'Asia/Tokyo', 'ja', 'KK'),
  region(2, 'KWD', 14_000, 'Asia/Kuwait', 'ar', 'WLL'),
]

function region(
  share: number,
  currency: string,
  median_amount: number,
  timezone: string,
  language: string,
  company: string,
): Region {
  return { share, currency, median_amount, timezone, language, company }
}

function pickRegion(random: Random): Region {
  let left = random.below(100)
  for (const found of regions) {
    left -= found.share
    if (left < 0) return found
  }
  throw new Error('the shares of all regions must add up to 100')
}

/** Text with only the characters that an email address allows. */
function slug(text: string): string {
  const plain = text.normalize('NFD').toLowerCase()
  return plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$|-(?=-)/g, '')
}

const words = (text: string) => text.trim().split(/\s+/)

const domains = ['example.com', 'example.org', 'example.net']
const desks = ['billing', 'hello', 'office', 'pay', 'shop']

const firstNames = words(`
  Ada Amara Anna Arjun Beatriz Chidi Clara David Elena Emeka Emma Farah Finn Grace Hana Hugo Ines
  Ivan Jonas Julia Kaito Lars Leila Lucas Maria Mateo Mei Mia Nadia Noah Olga Omar Paulo Priya Rosa
  Sam Sara Sofia Tariq Tomas Uma Vera Viktor Wei Yara Yuki Zoe`)

const lastNames = words(`
  Adeyemi Alves Andersson Bauer Becker Brown Carvalho Chen Costa Dubois Eriksson Evans Ferreira
  Fischer Garcia Hansen Hughes Ito Jansen Kaya Keller Khan Kowalski Lee Lindqvist Lopez Martin Meyer
  Moreau Nakamura Novak Okafor Olsen Patel Pereira Rossi Sato Schmidt Silva Singh Smith Tanaka
  Wagner Walker Weber Wilson Yilmaz Zhang`)

const firstWords = words(`
  Alder Amber Anchor Birch Blue Bright Cedar Clover Copper Corner Crown Dawn East Elm Evergreen Fern
  Garden Golden Harbour Hazel Hill Iron Juniper Lake Lantern Lime Linden Maple Meadow Mill Moon
  North Oak Olive Orchard Pine Quay River Rowan Saffron Silver South Stone Summit Thistle West
  Willow`)

const trades = [
  'Bakery',
  'Bicycles',
  'Bookshop',
  'Brewery',
  'Ceramics',
  'Cinema',
  'Clinic',
  'Coffee Roasters',
  'Dental Practice',
  'Design Studio',
  'Fitness',
  'Flowers',
  'Furniture',
  'Guesthouse',
  'Hosting',
  'Instruments',
  'Language School',
  'Lighting',
  'Music Lessons',
  'Outdoor Gear',
  'Pharmacy',
  'Photography',
  'Print Works',
  'Records',
  'Software',
  'Spectacles',
  'Tailors',
  'Tea House',
  'Tools',
  'Toys',
  'Vineyard',
  'Yoga',
]
