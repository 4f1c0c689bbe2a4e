import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { html, trusted } from '../../src/primitives/markup.ts'

test('escapes values in content and in attributes', () => {
  const bad = `"><script>alert('&')</script>`
  assert.equal(
    html`<p title="${bad}">${bad}</p>`.text,
    '<p title="&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;">' +
      '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;</p>',
  )
})

test('any text round-trips and contains no markup', () => {
  const meanings: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const escaped = html`${text}`.text
      assert.doesNotMatch(escaped, /[<>"']/)
      const read = escaped.replace(/&([a-z0-9#]+);/g, (_, name: string) => meanings[name]!)
      assert.equal(read, text)
    }),
  )
})

test('does not escape Markup', () => {
  const inner = html`<b>${'<'}</b>`
  assert.equal(html`<p>${inner}</p>`.text, '<p><b>&lt;</b></p>')
  assert.equal(html`<i>${trusted('&nbsp;')}</i>`.text, '<i>&nbsp;</i>')
})

test('joins lists, and renders null, undefined and false as nothing', () => {
  const items = ['a', '<'].map((item) => html`<li>${item}</li>`)
  assert.equal(html`<ul>${items}</ul>`.text, '<ul><li>a</li><li>&lt;</li></ul>')
  assert.equal(html`[${null}${undefined}${false}${''}${0}]`.text, '[0]')
})

test('rejects an unquoted attribute value', () => {
  assert.throws(() => html`<input value=${'x onfocus=alert(1)'}>`, /must be quoted/)
})
