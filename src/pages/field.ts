// A labeled input with its hint or its error, linked for screen readers by aria-describedby.

import { html, type Markup } from '../primitives/markup.ts'

interface Field {
  name: string
  label: string
  type: 'email' | 'password' | 'text'
  autocomplete: string
  inputmode?: 'decimal'
  required: boolean
  value?: string | undefined
  hint?: string | undefined
  fault?: string | undefined
  /** Set on the first field with an error, so the user can correct it right away. */
  focused?: boolean
}

export function field(options: Field): Markup {
  const { name, label, type, autocomplete, required, value, hint, fault, focused, inputmode } =
    options
  // An error text repeats the rule from the hint, so it replaces the hint.
  const note = fault ?? hint
  const note_id = `${name}-note`
  return html`<div class="field">
<label for="${name}">${label}${!required && html` <span class="optional">(optional)</span>`}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"
 spellcheck="false" autocapitalize="${type === 'text' ? 'words' : 'none'}"${[
   inputmode && html` inputmode="${inputmode}"`,
   required && html` required`,
   value !== undefined && html` value="${value}"`,
   note !== undefined && html` aria-describedby="${note_id}"`,
   fault !== undefined && html` aria-invalid="true"`,
   focused && html` autofocus`,
 ]}>
${fault !== undefined && html`<p class="fault" id="${note_id}">${errorIcon}${fault}</p>`}
${fault === undefined && hint !== undefined && html`<p class="hint" id="${note_id}">${hint}</p>`}
</div>`
}

// An icon next to the red text: color must not be the only sign of an error (WCAG 1.4.1).
export const errorIcon = html`<svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true"
 fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"><circle cx="8" cy="8"
 r="6.4"/><path d="M8 4.8v3.8M8 11.2v.1"/></svg>`
