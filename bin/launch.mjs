// Shared by all launchers. Uses Node 16 syntax only: a Node too old for the .ts files would fail on
// their first line with a syntax error. This file still runs there and prints what to do.

import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Node 24.16 is the first LTS release with everything Florin uses. Keep in sync with package.json.
const min_version = [24, 16]
const modules = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules')

/** Calls `load`, or re-runs `script` on the bundled Node if the current one is too old. */
export async function launch(script, load) {
  if (!existsSync(modules)) {
    fail('The packages are not installed. Run: npm ci')
  } else if (isNewEnough(process.versions.node)) {
    await run(load)
  } else {
    runOnInstalledNode(script)
  }
}

async function run(load) {
  // Without the compile cache every start strips the types of all files again: 0.5 s instead of
  // 0.14 s. The cache is next to the packages, not in /tmp, where another user could plant code.
  if (nodeModule.enableCompileCache) {
    nodeModule.enableCompileCache(join(modules, '.cache', 'florin'))
  }
  try {
    await load()
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    fail(`${error.message.split('\n')[0]}. The packages are incomplete. Run: npm ci`)
  }
}

// Runs the Node that npm installed as a dependency of Florin. npm scripts already use it; this
// covers calling a launcher directly with an older Node.
function runOnInstalledNode(script) {
  const names = [`node-${process.platform}-${process.arch}`]
  names.push(names[0].replace('node-', 'node-bin-'), names[0].replace('win32', 'win'))
  const found = names
    .map((name) => join(modules, name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'))
    .find((path) => existsSync(path))
  const problem = found === undefined ? 'missing' : tryNode(found)
  if (problem === undefined) replaceWith(found, script)
  else fail(`${explainNode()} ${advice(problem)}`)
}

function tryNode(path) {
  const result = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 10000 })
  if (result.error || result.status !== 0) return 'broken'
  return isNewEnough(result.stdout.trim().slice(1)) ? undefined : 'old'
}

function replaceWith(path, script) {
  const args = [...process.execArgv, script, ...process.argv.slice(2)]
  const child = spawn(path, args, { stdio: 'inherit' })
  // Ctrl-C reaches both processes, so the child receives the signal twice. It treats two as one.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name))
  child.on('error', (error) => fail(`${path} cannot be run: ${error.message}.`))
  child.on('exit', (code, signal) => {
    process.exit(code === null ? 128 + constants.signals[signal] : code)
  })
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > min_version[0] || (major === min_version[0] && minor >= min_version[1])
}

function explainNode() {
  const required = min_version.join('.')
  return `Florin requires Node ${required} or newer; this is Node ${process.versions.node}.`
}

function advice(problem) {
  const install = `Install Node ${min_version.join('.')} or newer`
  if (problem === 'missing') {
    return (
      'The bundled Node is not installed. Run npm ci without --omit=optional. ' +
      `Or: ${install}, and set DATABASE_URL to an existing PostgreSQL server.`
    )
  }
  if (problem === 'old') return 'The bundled Node is also too old. Run: npm ci'
  return (
    'The bundled Node does not run on this system (Alpine and other musl systems, for example). ' +
    `${install}, run npm ci --omit=optional, and set DATABASE_URL to an existing PostgreSQL server.`
  )
}

function fail(message) {
  process.stderr.write(
    process.argv.includes('--json')
      ? `${JSON.stringify({ error: 'cannot_launch', message })}\n`
      : `${message}\n`,
  )
  process.exitCode = 1
}
