// The Florin logo: a green coin with a lily in a gold ring, after the florin of Florence.

import { readFileSync } from 'node:fs'
import { html, type Markup, trusted } from '../primitives/markup.ts'

const lily = [
  'M20 9.2c2.5 2.7 3.7 5.2 3.7 7.6 0 2.3-1.3 4.1-2.2 6.1h-3',
  'c-.9-2-2.2-3.8-2.2-6.1 0-2.4 1.2-4.9 3.7-7.6Z',
  'M17.2 22.9c-.5-4-2.6-6.9-5.4-6.9-2.7 0-3.6 3.2-1.5 4.7',
  '.1-1.5 1.3-2 2.4-1.1 1 .8 1.5 1.9 1.7 3.3Z',
  'M22.8 22.9c.5-4 2.6-6.9 5.4-6.9 2.7 0 3.6 3.2 1.5 4.7',
  '-.1-1.5-1.3-2-2.4-1.1-1 .8-1.5 1.9-1.7 3.3Z',
  'M14.1 23.9h11.8a.9.9 0 0 1 0 1.8H14.1a.9.9 0 0 1 0-1.8Z',
  'M18.6 26.7h2.8c0 1.7-.5 3-1.4 4.2-.9-1.2-1.4-2.5-1.4-4.2Z',
  'M17 26.7c-.3 1.6-1.3 2.5-3.2 2.7.6-.9.9-1.7 1-2.7Z',
  'M23 26.7c.3 1.6 1.3 2.5 3.2 2.7-.6-.9-.9-1.7-1-2.7Z',
].join(' ')

function drawing(gold: string, green: string, white: string): string {
  return (
    `<circle cx="20" cy="20" r="19" fill="none" stroke="${gold}" stroke-width="2"/>` +
    `<circle cx="20" cy="20" r="15.5" fill="${green}"/><path d="${lily}" fill="${white}"/>`
  )
}

const themed = trusted(drawing('var(--gold)', 'var(--brand)', 'var(--on-brand)'))

/** Hidden from screen readers: the name next to it has the same meaning. */
export function mark(size: number): Markup {
  return html`<svg class="mark" width="${size}" height="${size}" viewBox="0 0 40 40"
 aria-hidden="true">${themed}</svg>`
}

/** CSS variables do not apply to a favicon, so its colors are fixed. */
export const favicon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">' +
  `${drawing('#b5832a', '#0b6b50', '#fff')}</svg>`

/** The same drawing at 32 and 48 pixels, for programs that do not read SVG. */
export const faviconIco = readFileSync(new URL('favicon.ico', import.meta.url))
