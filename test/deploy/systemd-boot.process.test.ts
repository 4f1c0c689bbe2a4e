// Boots a Debian with systemd in a container of systemd-nspawn, where it is installed, and runs
// deploy/florin.service there as the guide describes, with all of its hardening.

import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { can_isolate } from './container-image.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

const has = (program: string) => spawnSync(program, ['--version']).status === 0
const missing = ['systemd-nspawn', 'mmdebstrap'].filter((program) => !has(program))
const reason =
  (process.getuid?.() !== 0 && 'only root can boot a container') ||
  (missing.length > 0 && `${missing} missing: install systemd-container and mmdebstrap`) ||
  (!can_isolate && 'this machine permits no namespaces')

const packages =
  'base-files,base-passwd,bash,coreutils,dash,grep,libatomic1,libc-bin,libstdc++6,login,mount,' +
  'passwd,procps,sed,systemd,systemd-sysv,util-linux'

// Runs in the container when Florin has started, and turns it off at the end.
const script = `
cd /opt/florin
florin() { node_modules/.bin/node bin/florin.mjs "$@"; }
show() { systemctl show --property="$1" --value florin; }
section() { echo "--- $1"; }
exec > /result 2>&1
section state; show ActiveState
section process; grep -E 'CapEff|NoNewPrivs|Seccomp:|^Uid' /proc/$(show MainPID)/status
section health; florin health
section doctor; florin doctor --unit florin
section own; journalctl --unit=florin --output=cat --no-pager
section verify; export FLORIN_DATA=/var/lib/florin
setpriv --reuid=florin --regid=florin --clear-groups node_modules/.bin/node bin/florin.mjs verify
section kill; kill -9 $(show MainPID); sleep 1
florin health --wait 60; show NRestarts
section stop; systemctl stop florin; show Result; show ExecMainStatus; ls /var/lib/florin
section end
`

const checker = `[Unit]
After=florin.service
Wants=florin.service
[Service]
Type=oneshot
ExecStart=/bin/sh /script
ExecStopPost=/bin/systemctl --no-block poweroff
`

// doctor runs in the service, too: it finds its unit by itself.
const drop_in = `[Service]
LoadCredential=
LoadCredential=FLORIN_SECRET_KEY:/etc/florin/credentials/FLORIN_SECRET_KEY
ExecStartPre=/opt/florin/node_modules/.bin/node bin/florin.mjs doctor
`

async function makeSystem(folder: string): Promise<void> {
  const args = ['--quiet', '--variant=extract', `--include=${packages}`, 'bookworm', folder]
  await run('mmdebstrap', args)
  const setUp = `ldconfig
    cd /usr/share/base-passwd && cp passwd.master /etc/passwd && cp group.master /etc/group
    systemd-sysusers; : > /etc/machine-id
    useradd --system --shell /usr/sbin/nologin florin`
  await run('chroot', [folder, 'sh', '-euc', setUp])
  const write = async (path: string, text: string, mode = 0o644) => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
    await chmod(join(folder, path), mode)
  }
  const system = 'etc/systemd/system'
  await cp(join(root, 'deploy/florin.service'), join(folder, system, 'florin.service'))
  await write(`${system}/florin.service.d/test.conf`, drop_in)
  await write(`${system}/check.service`, checker)
  await write('etc/florin/florin.env', 'FLORIN_LOG=info\n')
  const key = `${Buffer.alloc(32, 1).toString('base64')}\n`
  await write('etc/florin/credentials/FLORIN_SECRET_KEY', key, 0o600)
  await write('script', script)
  for (const path of ['opt/florin', 'root']) await mkdir(join(folder, path), { recursive: true })
}

test('systemd runs Florin with all hardening, restarts and stops it', {
  skip: reason,
}, async (t) => {
  const folder = await mkdtemp('/var/tmp/florin-systemd-')
  t.after(() => rm(folder, { recursive: true, force: true }))
  const system = join(folder, 'system')
  await makeSystem(system)
  // Without a host that runs systemd, the container cannot be registered.
  const how = ['--quiet', '--boot', '--register=no', '--keep-unit', '--private-network']
  const what = [`--directory=${system}`, `--bind-ro=${root}:/opt/florin`]
  const started = run('systemd-nspawn', [...how, ...what, 'systemd.unit=check.service'])
  started.child.stdin?.end()
  const console_text = await started.then(
    ({ stdout }) => stdout,
    (error) => String(error.stdout),
  )
  const text = await readFile(join(system, 'result'), 'utf8').catch(() => console_text)
  const parts = new Map(
    text.split('--- ').map((part) => [part.split('\n')[0]!, part.slice(part.indexOf('\n') + 1)]),
  )
  const of = (name: string) => parts.get(name) ?? assert.fail(`no ${name} in:\n${text}`)
  assert.equal(of('state'), 'active\n', 'the start completes when Florin is ready')
  assert.match(of('process'), /CapEff:\t0+\nNoNewPrivs:\t1\nSeccomp:\t2\n/)
  assert.doesNotMatch(of('process'), /^Uid:\t0/m)
  assert.match(of('health'), /ready at/)
  assert.match(of('doctor'), /ok {4}Unit {8}\/etc\/systemd\/system\/florin\.service, 1 drop-in\n/)
  assert.match(of('doctor'), /Secret key {2}encrypts/)
  assert.doesNotMatch(of('doctor'), / fail /)
  assert.match(of('own'), /ok {4}Unit {8}\/etc\/systemd\/system\/florin\.service, 1 drop-in\n/)
  assert.match(of('verify'), /The ledger is consistent/)
  assert.match(of('kill'), /ready at .*\n1\n$/)
  assert.equal(of('stop'), 'success\n0\npostgres\npostgres.log\n')
  assert.ok(parts.has('end'))
})
