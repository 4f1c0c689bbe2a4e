// Renders an email: subject, plain text and HTML. The HTML uses tables and inline styles, because
// some mail clients drop style sheets; the style sheet only adds dark-mode colors. The only remote
// content is the logo of an account. Its URL is the same for all recipients, so it tracks no one.

import { html, type Markup, trusted } from '../primitives/markup.ts'
import type { Draft, DraftOptions, ShownBrand } from './draft.ts'
import { draftEmail } from './draft-email.ts'
import type { EmailBrand } from './email.ts'

interface RenderedEmail {
  subject: string
  text: string
  html: string
}

export function renderEmail(
  email: Parameters<typeof draftEmail>[0],
  options: DraftOptions,
  brand?: EmailBrand | undefined,
): RenderedEmail {
  const draft = draftEmail(email, options, brand)
  return { subject: draft.subject, text: textOf(draft), html: htmlOf(draft).text }
}

function textOf(draft: Draft): string {
  const { band, title, amount, lead, message, rows, link, note, foot, brand, settings } = draft
  const facts = rows.map(({ label, value }) => `${label}: ${value}`).join('\n')
  const parts = [
    band,
    amount === null ? title : `${title}\n${amount}`,
    lead,
    message && `${message.label}:\n${message.text.replace(/^/gm, '> ')}`,
    link && `${link.hint}\n${link.url}`,
    facts,
    note,
    brand && contactText(brand),
    settings && `${settings.text}:\n${settings.url}`,
    `-- \n${foot}`,
  ]
  return `${parts.filter((part) => part !== null).join('\n\n')}\n`
}

function contactText({ contact, contact_label }: ShownBrand): string | null {
  return contact.length === 0 ? null : `${contact_label} ${contact.join(' · ')}`
}

// The colors of src/pages/tokens.css. Many mail clients do not support CSS variables.
const light = {
  canvas: '#f5f7f5',
  card: '#ffffff',
  line: '#dfe6e2',
  ink: '#12211b',
  muted: '#56675f',
  brand: '#0b6b50',
  on_brand: '#ffffff',
  gold: '#b5832a',
  amber: '#8a5a00',
  amber_soft: '#fdf3dc',
}

const dark_rules = trusted(`:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .canvas { background: #0c1411 !important; }
  .card { background: #131d19 !important; border-color: #25332d !important; }
  .line { border-color: #25332d !important; }
  .ink { color: #e9f1ed !important; }
  .muted { color: #9fb1a8 !important; }
  .link { color: #3ecf9d !important; }
  .button { background: #3ecf9d !important; }
  .button a, .button b { color: #04231a !important; }
  .band { background: #332708 !important; color: #f2c14e !important; }
}
@media (max-width: 480px) {
  .card { padding: 24px 20px !important; }
}`)

const fonts = `-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',sans-serif`
const type = (size: number, line: number) => `font:${size}px/${line}px ${fonts}`
const table = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"'
const grid = trusted(`<table ${table}>`)

function htmlOf(draft: Draft): Markup {
  const { language, subject, lead, band, brand, settings } = draft
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${subject}</title>
<style>${dark_rules}${brand?.accent && accentRules(brand.accent.dark)}</style>
</head>
<body class="canvas" style="margin:0;padding:0;background:${light.canvas}">
<div style="display:none;max-height:0;overflow:hidden">${lead}</div>
${band && bandOf(band)}
${grid}<tr><td class="canvas" align="center" style="padding:32px 16px;background:${light.canvas}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"
 style="max-width:520px">
<tr><td style="padding:0 4px 20px">${brand === null ? coin : merchant(brand)}</td></tr>
<tr><td class="card" style="padding:32px;background:${light.card};border:1px solid ${light.line};
border-radius:16px">${cardOf(draft)}</td></tr>
<tr><td class="muted" style="padding:20px 4px;${type(14, 20)};color:${light.muted}">
${brand && brand.contact.length > 0 && html`${contactText(brand)}<br>`}${
  settings &&
  html`<a class="muted" href="${settings.url}"
 style="color:${light.muted}">${settings.text}</a><br>`
}${draft.foot}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}

// The logo without an image: mail clients block images by default.
const coin = html`<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
<td width="28" height="28" align="center" style="width:24px;height:24px;border:2px solid
 ${light.gold};border-radius:14px;background:${light.brand};color:${light.on_brand};
font:600 15px/24px Georgia,serif">f</td>
<td class="ink" style="padding-left:10px;${type(16, 24)};font-weight:600;color:${light.ink}">
Florin</td></tr></table>`

// The logo or the initial of the account, and its name.
function merchant({ name, logo, accent }: ShownBrand): Markup {
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
<td>${logo === null ? initial(name, accent) : logoOf(name, logo)}</td>
<td class="ink" style="padding-left:10px;${type(16, 24)};font-weight:600;color:${light.ink};
overflow-wrap:anywhere">${name}</td></tr></table>`
}

const logo_height_px = 40
const logo_width_max_px = 180

function logoOf(name: string, { url, width, height }: NonNullable<ShownBrand['logo']>): Markup {
  const scale = Math.min(logo_height_px / height, logo_width_max_px / width)
  const [w, h] = [width, height].map((side) => Math.max(1, Math.round(side * scale)))
  return html`<img src="${url}" alt="${name}" width="${w}" height="${h}" style="display:block;
border:0;border-radius:6px;background:#ffffff;${type(14, 20)}">`
}

function initial(name: string, accent: ShownBrand['accent']): Markup {
  const colors = accent?.light ?? { background: light.brand, text: light.on_brand }
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
<td class="button" width="32" height="32" align="center" style="width:32px;height:32px;
border-radius:8px;background:${colors.background}"><b style="color:${colors.text};
${type(16, 32)};font-weight:700">${/[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() ?? '·'}</b></td>
</tr></table>`
}

/** After the other rules, which they replace. The colors have been validated. */
function accentRules({ background, text }: { background: string; text: string }): Markup {
  return trusted(`
@media (prefers-color-scheme: dark) {
  .button { background: ${background} !important; }
  .button a, .button b { color: ${text} !important; }
  .link { color: #e9f1ed !important; }
}`)
}

function bandOf(band: string): Markup {
  return html`${grid}<tr><td class="band" align="center" style="padding:8px 16px;
${type(14, 20)};font-weight:600;background:${light.amber_soft};color:${light.amber}">${band}</td>
</tr></table>`
}

function cardOf({ title, amount, lead, message, link, rows, note, brand }: Draft): Markup {
  const accent = brand?.accent?.light
  const body = `margin:0;${type(16, 24)};color:${light.ink}`
  const small = `${type(14, 20)};color:${light.muted}`
  return html`
<h1 class="ink" style="margin:0;${type(20, 28)};font-weight:600;color:${light.ink};
overflow-wrap:anywhere">${title}</h1>
${
  amount &&
  html`<p class="ink" style="margin:8px 0 0;${type(40, 48)};font-weight:650;
letter-spacing:-0.02em;font-variant-numeric:tabular-nums;color:${light.ink}">${amount}</p>`
}
<p class="ink" style="${body};padding-top:16px">${lead}</p>
${message && messageOf(message)}
${link && buttonOf(link, accent)}
${factsOf(rows)}
<p class="muted" style="margin:24px 0 0;${small}">${note}</p>
${
  link &&
  html`<p class="muted" style="margin:16px 0 0;${small}">${link.without_button}<br>
<a class="link" href="${link.url}" style="color:${accent ? light.ink : light.brand};
word-break:break-all">${link.url}</a>
</p>`
}
`
}

// White space in HTML collapses, so line breaks become elements.
function messageOf({ label, text }: NonNullable<Draft['message']>): Markup {
  const lines = text.split('\n').map((line, at) => (at === 0 ? html`${line}` : html`<br>${line}`))
  return html`<p class="muted" style="margin:16px 0 0;${type(14, 20)};color:${light.muted}">
${label}</p>
<p class="ink line" dir="auto" style="margin:4px 0 0;padding:2px 0 2px 12px;border-left:3px solid
 ${light.line};${type(16, 24)};color:${light.ink};overflow-wrap:anywhere">${lines}</p>`
}

function buttonOf(
  { url, button }: { url: string; button: string },
  accent = { background: light.brand, text: light.on_brand },
): Markup {
  return html`${grid}<tr><td style="padding-top:24px">${grid}<tr>
<td class="button" align="center" style="border-radius:10px;background:${accent.background}">
<a href="${url}" style="display:block;padding:14px 20px;${type(16, 24)};font-weight:600;
color:${accent.text};text-decoration:none">${button}</a></td>
</tr></table></td></tr></table>`
}

function factsOf(rows: Draft['rows']): Markup {
  const cell = `padding:12px 0;border-bottom:1px solid ${light.line};${type(14, 20)}`
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"
 class="line" style="margin-top:24px;border-top:1px solid ${light.line}">
${rows.map(
  ({ label, value }) => html`<tr>
<td class="line muted" valign="top" style="${cell};padding-right:16px;color:${light.muted};
white-space:nowrap">${label}</td>
<td class="line ink" align="right" style="${cell};color:${light.ink};overflow-wrap:anywhere;
word-break:break-word">${value}</td></tr>`,
)}
</table>`
}
