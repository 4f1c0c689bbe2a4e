import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axeViolations, no_browser, openPage } from './browser.ts'

test('axeViolations reports accessibility violations, and none for a correct page', {
  skip: no_browser,
}, async () => {
  const page = await openPage()
  // A reused page still shows /livez, whose Content-Security-Policy would block the style below.
  await page.goto('about:blank')
  const pageWith = (text: string) =>
    `<!doctype html><html lang="en"><title>A page</title><main><h1>A page</h1>${text}</main></html>`
  await page.setContent(pageWith('<p>Good.</p>'))
  assert.deepEqual(await axeViolations(page), [])
  await page.setContent(pageWith('<p style="color: #bbb">Too pale.</p>'))
  const too_pale = 'color-contrast: <p style="color: #bbb">Too pale.</p>'
  assert.deepEqual(await axeViolations(page), [too_pale])
  await page.setContent(pageWith('<img src="data:,">'))
  assert.deepEqual(await axeViolations(page), ['image-alt: <img src="data:,">'])
  await page.context().close()
})
