// Icons next to text, hidden from screen readers, because the text has the same meaning; and QR
// codes.

import { encode } from 'uqr'
import { html, type Markup, trusted } from '../primitives/markup.ts'

export const lock = drawing(
  16,
  '<rect x="3" y="7" width="10" height="7" rx="1.6"/><path d="M5 7V5a3 3 0 0 1 6 0v2"/>',
)

export const faultSign = drawing(
  16,
  '<circle cx="8" cy="8" r="6.4"/><path d="M8 4.8v3.8M8 11.2v.1"/>',
)

export const backSign = drawing(16, '<path d="M13 8H3.4M7 4 3 8l4 4"/>')

export const alertSign = faultSign

const stateSigns = {
  done: '<path d="m4.2 8.4 2.6 2.6 5-5.6"/>',
  back: '<path d="M6.4 4 3.6 6.8l2.8 2.8M3.8 6.8h5.4a2.8 2.8 0 0 1 0 5.6H6.8"/>',
  wait: '<path d="M8 4.6V8l2.2 1.6"/><circle cx="8" cy="8" r="5.4"/>',
  ended: '<path d="m5.2 5.2 5.6 5.6M10.8 5.2l-5.6 5.6"/>',
  nothing: '<path d="M4.6 8h6.8"/>',
  pause: '<path d="M6 5v6M10 5v6"/>',
  ask: '<path d="M8 1.8 13 3.8v3.6c0 3-2 5.6-5 6.8-3-1.2-5-3.8-5-6.8V3.8Zm-2.2 6 1.6 1.6 2.8-3"/>',
  busy: '<path class="turning" d="M8 2.6A5.4 5.4 0 1 1 2.6 8"/>',
}

export type StateSign = keyof typeof stateSigns

export function stateSign(sign: StateSign): Markup {
  return signs[sign]
}

const signs = Object.fromEntries(
  Object.entries(stateSigns).map(([name, paths]) => [
    name,
    html`<span class="sign ${name}">${drawing(30, paths)}</span>`,
  ]),
) as Record<StateSign, Markup>

function drawing(size: number, paths: string): Markup {
  return html`<svg width="${size}" height="${size}" viewBox="0 0 16 16" fill="none"
 stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"
 aria-hidden="true">${trusted(paths)}</svg>`
}

// Four light modules around the code, which readers need. The guideline for QR codes of transfers
// requires level M.
const qr_options = { ecc: 'M', border: 4 } as const

/** Always dark on white: few readers accept inverted codes. */
export function qrCode(text: string, label: string): Markup {
  const { data, size } = encode(text, qr_options)
  const path = data.flatMap((row, y) =>
    row.flatMap((is_dark, x) => (is_dark ? `M${x} ${y}h1v1h-1z` : [])),
  )
  // Whole pixels keep the edges sharp. The largest code must fit on a phone.
  const width = size * (size <= 57 ? 4 : 3)
  return html`<svg role="img" aria-label="${label}" width="${width}" height="${width}"
 viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"
><rect width="${size}" height="${size}" fill="#fff"/><path fill="#000" d="${path.join('')}"/></svg>`
}
