import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axeViolations, no_browser, openPage } from './browser.ts'

test('what axe finds wrong is told, and nothing where nothing is', {
  skip: no_browser,
}, async () => {
  const page = await openPage()
  const around = (text: string) =>
    `<!doctype html><html lang="en"><title>A page</title><main><h1>A page</h1>${text}</main></html>`
  await page.setContent(around('<p>Good.</p>'))
  assert.deepEqual(await axeViolations(page), [])
  await page.setContent(around('<img src="data:,"><p style="color: #bbb">Too pale.</p>'))
  assert.deepEqual(await axeViolations(page), [
    'color-contrast: <p style="color: #bbb">Too pale.</p>',
    'image-alt: <img src="data:,">',
  ])
  await page.context().close()
})
