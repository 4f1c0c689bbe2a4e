// The notices of a release are complete: every package that is installed or bundled is listed, with
// an accepted license and its text.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { printNotices } from '../../packaging/print-notices.ts'
import { isAccepted, thirdPartyPackages } from '../../packaging/third-party.ts'
import { importsOf, root, sourceFiles } from '../support/source-tree.ts'

const packages = thirdPartyPackages(root)
const notices = printNotices(root, packages)

const rows = notices.match(/^\| .+$/gm)!
const texts = [...notices.matchAll(/^### ([^\n]+)\n\n~~~~text\n(.+?)\n~~~~$/gms)]

/** What the notices contain for a package: its row, and its text. */
function noticeOf(name: string, version: string) {
  const row = rows.find((line) => line.startsWith(`| ${name} | ${version} | `))
  const text = texts.find(([, title]) => title!.split(', ').includes(`${name} ${version}`))?.[2]
  return { row, text }
}

test('every package that npm installs in production is in the notices', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const installed = Object.entries<{ version: string; dev?: true }>(lock.packages)
    .slice(1)
    .filter(([, { dev }]) => !dev)
    .map(([path, { version }]) => ({ name: path.split('node_modules/').at(-1)!, version }))
  assert.ok(installed.length > 100, String(installed.length))
  for (const { name, version } of installed) {
    const { row, text } = noticeOf(name, version)
    assert.ok(row !== undefined, `${name} ${version} is not listed`)
    assert.match(text ?? '', /permission|license|public domain/i, `${name} has no text`)
  }
})

test('every package that the dashboard contains is in the notices', () => {
  const imported = sourceFiles('web/dashboard/src')
    .flatMap(importsOf)
    .filter((target) => /^@?\w/.test(target) && !/^(src|client|web)\//.test(target))
    .map((target) => target.split('/', target.startsWith('@') ? 2 : 1).join('/'))
  // Packages of packages, of the style sheet, and what the build adds.
  const others = ['scheduler', '@floating-ui/core', 'd3-scale', '@tanstack/router-core']
  const styles = ['tailwindcss', '@fontsource-variable/inter', 'vite', 'rolldown']
  for (const name of new Set([...imported, ...others, ...styles])) {
    const found = packages.find((one) => one.name === name && one.is_bundled)
    assert.ok(found !== undefined, `${name} is not listed as part of the dashboard`)
    assert.ok(noticeOf(name, found.version).text!.length > 400, name)
  }
})

test('the notices contain no packages that are only used for tests', () => {
  for (const name of ['axe-core', 'playwright-core', 'typescript', 'lightningcss']) {
    assert.ok(!packages.some((one) => one.name === name), name)
  }
})

test('copyleft and unknown licenses are not accepted', () => {
  const rejected = ['GPL-3.0-only', 'MPL-2.0', 'LGPL-2.1', 'UNLICENSED', 'none', 'MIT AND GPL-2.0']
  for (const license of rejected) assert.ok(!isAccepted(license), license)
  for (const license of ['MIT', '(MIT OR GPL-2.0)', 'MIT AND ISC AND BSD-3-Clause'])
    assert.ok(isAccepted(license), license)
})
