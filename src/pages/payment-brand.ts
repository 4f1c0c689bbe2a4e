// What the payment page shows of the account: logo, color, contact and terms.

import { hash } from 'node:crypto'
import { type Accent, type AccentShade, accentOf } from '../accounts/branding/accent-color.ts'
import { type BrandingRow, logoUrl } from '../accounts/branding/branding.ts'
import { html, type Markup, trusted } from '../primitives/markup.ts'
import { stripBidiControls } from '../primitives/text.ts'
import type { Localization } from '../translations/localization.ts'
import { mark } from './mark.ts'

export interface PaymentBrand {
  logo: { path: string; width: number; height: number } | null
  accent: Accent | null
  phone: string | null
  website: string | null
  terms_url: string | null
  statement_name: string | null
}

/** A suspended or closed account shows no links: its site may deceive payers. */
export function brandOf(
  branding: BrandingRow,
  { base_path, has_links }: { base_path: string; has_links: boolean },
): PaymentBrand {
  const { accent_color, logo_width: width, logo_height: height } = branding
  const path = logoUrl(branding, base_path)
  return {
    logo: path === null || width === null || height === null ? null : { path, width, height },
    accent: accent_color === null ? null : accentOf(accent_color),
    phone: branding.support_phone,
    website: has_links ? branding.website : null,
    terms_url: has_links ? branding.terms_url : null,
    statement_name: branding.statement_name,
  }
}

/** The style element of an accent. The policy of the page must allow it: see allowAccent. */
export function accentStyle(accent: Accent | null): Markup {
  return accent === null ? html`` : html`<style>${trusted(accentCss(accent))}</style>`
}

/** The content security policy with the hash of the accent's style. */
export function allowAccent(policy: string, accent: Accent | null): string {
  if (accent === null) return policy
  const digest = hash('sha256', accentCss(accent), 'base64')
  return policy.replace("style-src 'self'", `style-src 'self' 'sha256-${digest}'`)
}

// The colors have been validated: nothing else enters the style.
function accentCss({ light, dark }: Accent): string {
  return `:root{${rulesOf(light)}}@media (prefers-color-scheme:dark){:root{${rulesOf(dark)}}}`
}

function rulesOf({ background, text, hover }: AccentShade): string {
  const soft = `--accent-soft:${background};--accent-ink:${text}`
  return `--accent:${background};--accent-hover:${hover};--on-accent:${text};${soft}`
}

// The height on the page. A wide logo is smaller.
const logo_height_px = 40
const logo_width_max_px = 180

/** The payee: its logo, or its initial, and its name. */
export function who(name: string, { logo }: PaymentBrand): Markup {
  const sign = logo === null ? initialOf(name) : logoOf(logo)
  return html`<p class="who">${sign}<bdi>${stripBidiControls(name)}</bdi></p>`
}

/** Without a text alternative: the name follows. */
function logoOf({ path, width, height }: NonNullable<PaymentBrand['logo']>): Markup {
  const scale = Math.min(logo_height_px / height, logo_width_max_px / width)
  const [shown_width, shown_height] = [width, height].map((side) =>
    Math.max(1, Math.round(side * scale)),
  )
  return html`<img class="logo" src="${path}" alt="" width="${shown_width}"
 height="${shown_height}">`
}

function initialOf(name: string): Markup {
  const initial = /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase()
  return initial ? html`<span class="initial" aria-hidden="true">${initial}</span>` : mark(40)
}

interface Contact {
  contact_email: string
  reference: string | null
  brand: PaymentBrand
}

/** After the form, so that it is not the first stop of the keyboard. */
export function contactLine(
  { contact_email, reference, brand }: Contact,
  { payment_page: translations }: Localization,
): Markup {
  const { phone, website, terms_url } = brand
  const subject = reference === null ? '' : `?subject=${encodeURIComponent(reference)}`
  const mailto = `mailto:${encodeURIComponent(contact_email).replaceAll('%40', '@')}${subject}`
  return html`<p class="contact">${translations.contact} <a href="${mailto}"
 dir="ltr">${contact_email}</a>
${phone !== null && html`<a href="tel:${phone.replace(/[^+0-9]/g, '')}" dir="ltr">${phone}</a>`}
${website !== null && siteLink(website, new URL(website).host)}
${terms_url !== null && siteLink(terms_url, translations.terms)}</p>`
}

function siteLink(url: string, text: string): Markup {
  return html`<a href="${url}" rel="noopener noreferrer nofollow" dir="auto">${text}</a>`
}
