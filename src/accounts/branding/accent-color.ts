// The accent color of an account: which colors are readable, and the shades that pages and emails
// use in light and dark. Contrast is that of WCAG 2.2: 4.5:1 for the text on a button, 3:1 for a
// button on the page.

import { Refusal } from '../../primitives/refusal.ts'
import { quote } from '../../primitives/text.ts'

export interface AccentShade {
  background: string
  text: string
  hover: string
}

export interface Accent {
  light: AccentShade
  dark: AccentShade
}

const text_contrast_min = 4.5
const page_contrast_min = 3

const white = '#ffffff'
const near_black = '#0a0a0a'

// The canvas and the card of src/pages/tokens.css.
const light_pages = ['#f5f7f5', '#ffffff']
const dark_pages = ['#0c1411', '#131d19']

/** In lower case. Throws with the nearest readable color if this one is not. */
export function readAccentColor(text: string): string {
  const color = text.toLowerCase()
  if (!/^#[0-9a-f]{6}$/.test(color)) {
    throw invalid(`must be a color such as "#0b6b50"; got ${quote(text)}.`)
  }
  if (isReadable(color, light_pages)) return color
  throw invalid(
    'must differ from the white page by a contrast of 3:1 and let white or black text reach ' +
      `4.5:1; got "${color}". The nearest such color is "${nearestReadable(color, light_pages)}".`,
  )
}

/** The color itself in light, and the nearest readable shade of it in dark. */
export function accentOf(color: string): Accent {
  const dark = isReadable(color, dark_pages) ? color : nearestReadable(color, dark_pages)
  return { light: shadeOf(color), dark: shadeOf(dark) }
}

function shadeOf(background: string): AccentShade {
  const text = textOn(background)
  // Away from the text, so that its contrast only grows.
  const hover = mix(background, text === white ? '#000000' : white, 0.12)
  return { background, text, hover }
}

function textOn(background: string): string {
  return contrast(background, white) >= contrast(background, near_black) ? white : near_black
}

function isReadable(color: string, pages: string[]): boolean {
  return (
    contrast(color, textOn(color)) >= text_contrast_min &&
    pages.every((page) => contrast(color, page) >= page_contrast_min)
  )
}

const steps = 200

/** The first readable color on the way to black or to white, whichever is closer. */
function nearestReadable(color: string, pages: string[]): string {
  for (let step = 1; step < steps; step++) {
    const both = ['#000000', white].map((end) => mix(color, end, step / steps))
    const found = both.find((one) => isReadable(one, pages))
    if (found !== undefined) return found
  }
  // Unreachable: one of both ends is readable on every page.
  return textOn(pages[0]!)
}

export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light! + 0.05) / (dark! + 0.05)
}

function luminance(color: string): number {
  const [red, green, blue] = channelsOf(color).map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

function mix(color: string, end: string, share: number): string {
  const ends = channelsOf(end)
  const mixed = channelsOf(color).map((channel, at) =>
    Math.round(channel + (ends[at]! - channel) * share),
  )
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

function channelsOf(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
}

function invalid(rule: string): Refusal {
  return new Refusal('invalid_request', `"accent_color" ${rule}`)
}
