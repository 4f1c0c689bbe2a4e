// What must be true before a release is made. Reads files only.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import { parseMigration } from '../src/postgres/migration-files.ts'

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
  const changelog = read('CHANGELOG.md')
  if (releaseNotes(changelog, version) === undefined) {
    problems.push(`CHANGELOG.md must have a section "## ${version} - YYYY-MM-DD" with text.`)
  }
  if (/^## Unreleased\s+(?!## )\S/m.test(changelog)) problems.push(has_unreleased)
  return [...problems, ...contractProblems(root, version)]
}

const has_unreleased =
  'The section "## Unreleased" of CHANGELOG.md must be empty: move its text to the section of ' +
  'the version that is released.'

/** The migrations of a minor version end with its contract. */
function contractProblems(root: string, version: string): string[] {
  const folder = join(root, 'migrations')
  const contract = readdirSync(folder)
    .sort()
    .map((file) => parseMigration(parse(file).name, readFileSync(join(folder, file), 'utf8')))
    .findLast(({ contract_of }) => contract_of !== null)
  if (contract === undefined || version.startsWith(`${contract.contract_of}.`)) return []
  const { name, contract_of } = contract
  return [
    `migrations/${name}.sql has the contract of ${contract_of}: "version" in package.json must ` +
      `be ${contract_of}.x; got "${version}".`,
  ]
}

/** The text of the section of a version, with its date; undefined if it is not dated or empty. */
export function releaseNotes(changelog: string, version: string): string | undefined {
  const [, ...sections] = changelog.split(/^## /m)
  const section = sections.find((text) => text.startsWith(`${version} - `))
  const [, date, text] = /^\S+ - (\d{4}-\d\d-\d\d)\n(.*)$/s.exec(section ?? '') ?? []
  if (date === undefined || text!.trim() === '') return undefined
  return `# Florin ${version}\n\nReleased on ${date}.\n\n${text!.trim()}\n`
}
