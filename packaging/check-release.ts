// What must be true before a release is made. Reads files only.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const manifests = ['package.json', 'client/package.json', 'mcp/package.json']
const python_manifest = 'client-python/pyproject.toml'

/** Returns what is wrong, one sentence each. */
export function releaseProblems(root: string): string[] {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const { version } = JSON.parse(read('package.json'))
  const lock = JSON.parse(read('package-lock.json'))
  const versions = [
    ...manifests.map((path) => [path, JSON.parse(read(path)).version]),
    ['package-lock.json', lock.version],
    ['package-lock.json, packages[""]', lock.packages[''].version],
  ]
  if (existsSync(join(root, python_manifest))) {
    versions.push([python_manifest, /^version = "(.+)"$/m.exec(read(python_manifest))?.[1]])
  }
  const problems = versions
    .filter(([, found]) => found !== version)
    .map(([path, found]) => `"version" in ${path} must be "${version}"; got "${found}".`)
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    problems.push(`"version" in package.json must be MAJOR.MINOR.PATCH; got "${version}".`)
  }
  if (releaseNotes(read('CHANGELOG.md'), version) === undefined) {
    problems.push(`CHANGELOG.md must have a section "## ${version} - YYYY-MM-DD" with text.`)
  }
  return problems
}

/** The text of the section of a version, with its date; undefined if it is not dated or empty. */
export function releaseNotes(changelog: string, version: string): string | undefined {
  const [, ...sections] = changelog.split(/^## /m)
  const section = sections.find((text) => text.startsWith(`${version} - `))
  const [, date, text] = /^\S+ - (\d{4}-\d\d-\d\d)\n(.*)$/s.exec(section ?? '') ?? []
  if (date === undefined || text!.trim() === '') return undefined
  return `# Florin ${version}\n\nReleased on ${date}.\n\n${text!.trim()}\n`
}
