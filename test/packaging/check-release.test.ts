// `npm run release` refuses what must not be released.

import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { releaseNotes, releaseProblems } from '../../packaging/check-release.ts'
import { root } from '../support/source-tree.ts'

const copy = mkdtempSync(join(tmpdir(), 'florin-release-'))
after(() => rm(copy, { recursive: true, force: true }))
const files = ['package.json', 'package-lock.json', 'CHANGELOG.md']
const all = [...files, 'client/package.json', 'mcp/package.json']
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** The problems of a copy in which a text is replaced. */
function problemsWith(path: string, change: (text: string) => string): string[] {
  for (const one of [...all, 'migrations']) {
    cpSync(join(root, one), join(copy, one), { recursive: true })
  }
  const text = readFileSync(join(copy, path), 'utf8')
  assert.notEqual(change(text), text)
  writeFileSync(join(copy, path), change(text))
  return releaseProblems(copy)
}

test('this tree can be released', () => {
  assert.deepEqual(releaseProblems(root), [])
})

test('all packages must have the same version', () => {
  for (const path of ['client/package.json', 'mcp/package.json']) {
    const found = problemsWith(path, (text) => text.replace(version, '9.9.9'))
    assert.deepEqual(found, [`"version" in ${path} must be "${version}"; got "9.9.9".`])
  }
  const found = problemsWith('package-lock.json', (text) =>
    text.replaceAll(`"${version}"`, '"9.9.9"'),
  )
  assert.equal(found.length, 2)
  mkdirSync(join(copy, 'client-python'))
  const python = join(copy, 'client-python/pyproject.toml')
  writeFileSync(python, '[project]\nname = "florin-client"\nversion = "9.9.9"\n')
  const [problem] = problemsWith('CHANGELOG.md', (text) => `${text}\n`)
  assert.equal(
    problem,
    `"version" in client-python/pyproject.toml must be "${version}"; got "9.9.9".`,
  )
  writeFileSync(python, `version = "${version}"\n`)
})

test('a version has three numbers', () => {
  const found = problemsWith('package.json', (text) => text.replace(version, `${version}-beta`))
  assert.ok(found.some((text) => text.includes(`must be MAJOR.MINOR.PATCH; got "${version}-beta"`)))
})

test('the changelog has a dated section with text', () => {
  const undated = problemsWith('CHANGELOG.md', (text) =>
    text.replace(/^(## \d\S+) - \S+$/gm, '$1 (unreleased)'),
  )
  assert.deepEqual(undated, [
    `CHANGELOG.md must have a section "## ${version} - YYYY-MM-DD" with text.`,
  ])
  const changelog = '# Changelog\n\n## 0.2.0 - 2027-01-02\n\nNew.\n\n## 0.1.0 - 2026-11-18\n\n'
  assert.equal(
    releaseNotes(changelog, '0.2.0'),
    '# Florin 0.2.0\n\nReleased on 2027-01-02.\n\nNew.\n',
  )
  assert.equal(releaseNotes(changelog, '0.1.0'), undefined)
  assert.equal(releaseNotes(changelog, '0.1'), undefined)
})

test('the changelog has nothing that is not released', () => {
  const withSection = (text: string) => (changelog: string) =>
    changelog.replace(/^## \d/m, `## Unreleased\n\n${text}$&`)
  assert.deepEqual(problemsWith('CHANGELOG.md', withSection('')), [])
  assert.deepEqual(problemsWith('CHANGELOG.md', withSection('### Added\n\n- Cash.\n\n')), [
    'The section "## Unreleased" of CHANGELOG.md must be empty: move its text to the section of ' +
      'the version that is released.',
  ])
})

test('the version is that of the last contract', () => {
  const [contract] = readdirSync(join(root, 'migrations'))
    .filter((name) => /_finish_/.test(name))
    .slice(-1)
  const found = problemsWith(`migrations/${contract}`, (text) =>
    text.replace(/^-- contract: .*$/m, '-- contract: 9.9'),
  )
  assert.deepEqual(found, [
    `migrations/${contract} has the contract of 9.9: "version" in package.json must be 9.9.x; ` +
      `got "${version}".`,
  ])
})
