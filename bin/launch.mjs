// What is common to all launchers. In syntax of Node 16, because a Node that is too old for the .ts
// files behind it would die at their first line without a word; this file lives long enough to say
// what to do.

import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Node 24.16 is the first long-term line with everything Florin uses; package.json says the same.
const least = [24, 16]
const modules = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules')

/** Loads what `script` is for, on a Node that can. */
export async function launch(script, load) {
  if (!existsSync(modules)) {
    fail('The packages of Florin are not installed. Run: npm ci')
  } else if (isNewEnough(process.versions.node)) {
    await run(load)
  } else {
    runOnInstalledNode(script)
  }
}

async function run(load) {
  // Without the cache every start strips the types of all files anew: 0.5 s instead of 0.14 s. It
  // lies beside the packages and not in /tmp, where another user could put code into it.
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

// The Node that npm installs beside Florin. npm scripts find it by themselves; whoever calls this
// file with another Node gets here.
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
  const tried = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 10000 })
  if (tried.error || tried.status !== 0) return 'broken'
  return isNewEnough(tried.stdout.trim().slice(1)) ? undefined : 'old'
}

function replaceWith(path, script) {
  const args = [...process.execArgv, script, ...process.argv.slice(2)]
  const child = spawn(path, args, { stdio: 'inherit' })
  // Ctrl-C reaches both of us, so the child sees that signal twice; it takes two at once for one.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name))
  child.on('error', (error) => fail(`${path} cannot be run: ${error.message}.`))
  child.on('exit', (code, signal) => {
    process.exit(code === null ? 128 + constants.signals[signal] : code)
  })
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > least[0] || (major === least[0] && minor >= least[1])
}

function explainNode() {
  return `Florin needs Node ${least.join('.')} or newer, and this is ${process.versions.node}.`
}

function advice(problem) {
  const own = `Install Node ${least.join('.')} or newer`
  if (problem === 'missing') {
    return (
      'The Node that comes with Florin is not installed. ' +
      `Run npm ci without --omit=optional. Or: ${own}, and set DATABASE_URL to your own PostgreSQL.`
    )
  }
  if (problem === 'old') return 'The Node that comes with Florin is older still. Run: npm ci'
  return (
    'The Node that comes with Florin does not run on this system, as on Alpine and others with ' +
    `musl. ${own}, run npm ci --omit=optional, and set DATABASE_URL to your own PostgreSQL.`
  )
}

function fail(sentence) {
  process.stderr.write(
    process.argv.includes('--json')
      ? `${JSON.stringify({ error: 'cannot_launch', message: sentence })}\n`
      : `${sentence}\n`,
  )
  process.exitCode = 1
}
