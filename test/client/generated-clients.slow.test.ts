// Clients that other tools generate from the OpenAPI document: they compile, log in, create a
// transaction, list transactions and read an error. The tools are not part of Florin: `.ci/run`
// installs those for Python and Go. Java takes a minute more, so it runs only if JAVA_CLIENT_TOOLS
// names a folder with its tools: see CONTRIBUTING.md.

import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { startFlorin } from '../support/florin.ts'
import { root } from '../support/source-tree.ts'

const florin = await startFlorin()
const document = join(root, 'docs/reference/openapi.json')
const folder = mkdtempSync(join(tmpdir(), 'florin-generated-'))
after(() => rm(folder, { recursive: true, force: true }))
cpSync(join(root, 'test/client/generated'), folder, { recursive: true })

const python = process.env.CLIENT_TOOLS_PYTHON ?? 'python3'
const oapi_codegen = process.env.OAPI_CODEGEN ?? 'oapi-codegen'
const java_tools = process.env.JAVA_CLIENT_TOOLS

const hasModule = (name: string) => spawnSync(python, ['-c', `import ${name}`]).status === 0
const no_python_generator =
  !hasModule('openapi_python_client') &&
  'openapi-python-client is not installed: see CONTRIBUTING.md'
const no_mypy = !hasModule('mypy') && 'mypy is not installed: see CONTRIBUTING.md'
const no_go = !hasGo() && 'oapi-codegen or its packages are not installed: see CONTRIBUTING.md'
const no_java = java_tools === undefined && 'JAVA_CLIENT_TOOLS is not set: see CONTRIBUTING.md'

// Without a proxy, `go` fails if a package is not in its cache.
const go_env = { ...process.env, GOPROXY: 'off', GOFLAGS: '-mod=readonly' }

function hasGo(): boolean {
  if (spawnSync(oapi_codegen, ['-version']).status !== 0) return false
  const cwd = join(root, 'test/client/generated/go')
  const env = { ...process.env, GOPROXY: 'off' }
  return spawnSync('go', ['mod', 'download'], { cwd, env }).status === 0
}

async function run(cwd: string, env: NodeJS.ProcessEnv, ...command: string[]): Promise<string> {
  const [program, ...args] = command
  const options = { cwd, env, maxBuffer: 2 ** 24 }
  return (await promisify(execFile)(program!, args, options)).stdout
}

/** Runs a program that uses a generated client, and checks what it printed. */
async function check(cwd: string, env: NodeJS.ProcessEnv, ...command: string[]): Promise<void> {
  const owner = await florin.people.owner()
  const body = { name: 'Generated', scopes: ['transactions:read', 'transactions:write'] }
  const made = await florin.call('POST', '/v1/api_keys', { token: owner.token, body })
  const { email, password, account_id } = owner
  const args = [florin.url, made.body.key, email, password, account_id]
  const printed = JSON.parse(await run(cwd, env, ...command, ...args))
  const [id] = printed.created
  assert.deepEqual(printed, {
    email,
    created: [id, id],
    listed: [[id, 5_000_000_000]],
    error: 'insufficient_funds',
  })
}

test('openapi-python-client', { skip: no_python_generator }, async () => {
  const cwd = join(folder, 'python')
  const options = ['--meta', 'none', '--fail-on-warning', '--config', 'config.yml']
  const generate = ['-m', 'openapi_python_client', 'generate', '--path', document, ...options]
  await run(cwd, process.env, python, ...generate, '--output-path', 'generated_florin')
  await run(cwd, process.env, python, '-m', 'compileall', '-q', 'generated_florin')
  await check(cwd, { ...process.env, PYTHONPATH: cwd }, python, 'check.py')
})

test('oapi-codegen for Go', { skip: no_go }, async () => {
  const cwd = join(folder, 'go')
  await run(cwd, process.env, 'mkdir', 'florin')
  await run(cwd, process.env, oapi_codegen, '-config', 'config.yaml', document)
  await run(cwd, go_env, 'go', 'build', '-o', 'check', '.')
  await check(cwd, process.env, './check')
})

test('openapi-generator for Java', { skip: no_java }, async () => {
  const cwd = join(folder, 'java')
  const packages = 'invokerPackage=florin,apiPackage=florin.api,modelPackage=florin.model'
  const options = ['-g', 'java', '--library', 'native', `--additional-properties=${packages}`]
  const generate = ['-jar', join(java_tools!, 'openapi-generator-cli.jar'), 'generate']
  await run(cwd, process.env, 'java', ...generate, '-i', document, '-o', '.', ...options)
  const sources = readdirSync(join(cwd, 'src/main'), { recursive: true, encoding: 'utf8' })
  const files = sources.filter((name) => name.endsWith('.java')).map((name) => `src/main/${name}`)
  const libraries = join(java_tools!, 'libraries/*')
  const compile = ['-nowarn', '-d', 'out', '-cp', libraries, 'Check.java', ...files]
  await run(cwd, process.env, 'javac', ...compile)
  await check(cwd, process.env, 'java', '-cp', `out${delimiter}${libraries}`, 'Check')
})

test('the Python client passes mypy in strict mode', { skip: no_mypy }, async () => {
  const cwd = join(root, 'client-python')
  const example = '../examples/python-invoices/invoices.py'
  const cache = ['--cache-dir', join(folder, 'mypy')]
  const args = ['-m', 'mypy', ...cache, 'florin_client', 'tests', example]
  assert.match(await run(cwd, process.env, python, ...args), /^Success: no issues found/)
})
