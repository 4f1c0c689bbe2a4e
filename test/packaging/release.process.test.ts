// `npm run release` on a copy of this tree, in a repository with one commit.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { releaseNotes } from '../../packaging/check-release.ts'
import { thirdPartyPackages } from '../../packaging/third-party.ts'
import { version } from '../../src/version.ts'
import { root } from '../support/source-tree.ts'
import { author, makeRelease, release } from './make-release.ts'

const { path: temporary, copy, first } = await makeRelease()
const git = (...args: string[]) => execFileSync('git', args, { cwd: copy, encoding: 'utf8' })

const read = (folder: string, name: string) => readFileSync(join(temporary, folder, name), 'utf8')

test('refuses a changed tree, another version and a folder with files', async () => {
  const readme = join(copy, 'mcp/package.json')
  const text = readFileSync(readme, 'utf8')
  writeFileSync(readme, text.replace(version, '9.9.9'))
  const { code, stderr } = await release(temporary, 'florin')
  assert.equal(code, 1)
  assert.match(stderr, /^Commit or remove what is not committed:\nM mcp\/package\.json$/m)
  assert.match(stderr, /florin is not empty: remove it, or name another folder\.$/m)
  assert.match(stderr, /^"version" in mcp\/package\.json must be/m)
  writeFileSync(readme, text)
})

test('writes packages, bill of materials, notices and notes, with checksums', () => {
  const { code, stdout, stderr } = first
  assert.equal(code, 0, stderr)
  assert.match(stdout, new RegExp(`Next: git tag --annotate v${version}`))
  assert.deepEqual(readdirSync(join(temporary, 'first')).sort(), [
    'SHA256SUMS',
    'THIRD-PARTY-NOTICES.md',
    `florin-${version}.tgz`,
    `florin-client-${version}.tgz`,
    `florin-mcp-${version}.tgz`,
    'release-notes.md',
    'sbom.cdx.json',
  ])
  const options = { cwd: join(temporary, 'first'), encoding: 'utf8' } as const
  const checked = execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], options)
  assert.equal(checked.match(/: OK$/gm)!.length, 6)
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  assert.equal(read('first', 'release-notes.md'), releaseNotes(changelog, version))
  const notices = ['-xzOf', `florin-${version}.tgz`, 'package/THIRD-PARTY-NOTICES.md']
  const packed = execFileSync('tar', notices, { ...options, maxBuffer: 1e8 })
  assert.equal(packed, read('first', 'THIRD-PARTY-NOTICES.md'))
})

test('the bill of materials lists the packages of the notices, and nothing of this machine', () => {
  const text = read('first', 'sbom.cdx.json')
  const { bomFormat, components, metadata, dependencies } = JSON.parse(text)
  assert.equal(bomFormat, 'CycloneDX')
  assert.equal(metadata.component.version, version)
  const listed = components.map((one: { name: string; version: string }) => {
    return `${one.name} ${one.version}`
  })
  const expected = thirdPartyPackages(root).map((one) => `${one.name} ${one.version}`)
  assert.deepEqual(new Set(listed), new Set(expected))
  const refs = new Set(dependencies.map(({ ref }: { ref: string }) => ref))
  for (const component of components) {
    assert.ok(refs.has(component['bom-ref']), component.name)
    assert.match(component.hashes[0].content, /^[0-9a-f]{128}$/, component.name)
  }
  for (const secret of [temporary, root, tmpdir(), 'file:', 'registry.', '.tgz']) {
    assert.ok(!text.includes(secret), secret)
  }
})

test('the same commit gives the same files', async (t) => {
  if (!process.env.FLORIN_LONG) return t.skip('runs with FLORIN_LONG=1')
  const { code, stderr } = await release(temporary, 'second')
  assert.equal(code, 0, stderr)
  assert.equal(read('second', 'SHA256SUMS'), read('first', 'SHA256SUMS'))
})

test('refuses a version whose tag is another commit', async () => {
  git('tag', `v${version}`)
  git(...author, 'commit', '--quiet', '--allow-empty', '--message', 'after')
  const { code, stderr } = await release(temporary, 'third')
  assert.equal(code, 1)
  assert.match(stderr, new RegExp(`^The tag v${version} is another commit, \\w+: choose the next`))
})
