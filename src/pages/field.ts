// A labelled input with its hint and its fault, tied together for screen readers.

import { html, type Markup } from './html.ts'

export interface Field {
  name: string
  label: string
  type: 'email' | 'password' | 'text'
  autocomplete: string
  required: boolean
  value?: string | undefined
  hint?: string | undefined
  fault?: string | undefined
  /** The first field with a fault gets the focus, so that mending starts by typing. */
  focused?: boolean
}

export function field(given: Field): Markup {
  const { name, label, type, autocomplete, required, value, hint, fault, focused } = given
  const described = [fault && `${name}-fault`, hint && `${name}-hint`].filter(Boolean).join(' ')
  return html`<div class="field">
<label for="${name}">${label}${!required && html` <span class="aside">(optional)</span>`}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"
 spellcheck="false" autocapitalize="${type === 'text' ? 'words' : 'none'}"${[
   required && html` required`,
   value !== undefined && html` value="${value}"`,
   described !== '' && html` aria-describedby="${described}"`,
   fault !== undefined && html` aria-invalid="true"`,
   focused && html` autofocus`,
 ]}>
${fault !== undefined && html`<p class="fault" id="${name}-fault">${sign}${fault}</p>`}
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
</div>`
}

// Beside the red, a shape: colour alone says nothing to those who do not see it.
const sign = html`<svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" fill="none"
 stroke="currentColor" stroke-width="1.6" stroke-linecap="round"><circle cx="8" cy="8"
 r="6.4"/><path d="M8 4.8v3.8M8 11.2v.1"/></svg>`
