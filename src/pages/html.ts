// Markup that escapes by default, for pages. Letters need it too, and stand below pages, so it is
// written in primitives/.

export { escapeHtml, html, Markup, type Part, trusted } from '../primitives/markup.ts'
