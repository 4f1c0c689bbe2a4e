// The bill of materials, CycloneDX by `npm sbom`: what is installed in production, and what the
// dashboard contains. npm counts the packages of the dashboard as development dependencies.

import { spawnSync } from 'node:child_process'
import type { ThirdPartyPackage } from './third-party.ts'

interface Component {
  'bom-ref': string
  name: string
  version: string
  externalReferences?: { type: string }[]
}

interface Sbom {
  serialNumber?: string
  metadata: { timestamp: string; component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/** The same commit and the same npm give the same text. */
export function makeSbom(root: string, packages: ThirdPartyPackage[], date: string): string {
  const sbom = readFromNpm(root)
  const kept = new Set(packages.map(({ name, version }) => `${name} ${version}`))
  const components = sbom.components
    .filter(({ name, version }) => kept.has(`${name} ${version}`))
    .map(withoutDownload)
  const refs = new Set([sbom.metadata.component, ...components].map((one) => one['bom-ref']))
  const dependencies = sbom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }))
  delete sbom.serialNumber
  const metadata = { ...sbom.metadata, timestamp: date }
  return `${JSON.stringify({ ...sbom, metadata, components, dependencies }, null, 2)}\n`
}

// From the lock file: also lists the packages of other platforms, and no paths of this machine.
function readFromNpm(root: string): Sbom {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']
  const { status, stdout } = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 100_000_000,
  })
  if (status !== 0) throw new Error('npm could not write the bill of materials.')
  return JSON.parse(stdout)
}

/** The address depends on the registry of the machine; the hash does not. */
function withoutDownload(component: Component): Component {
  const { externalReferences = [], ...rest } = component
  const kept = externalReferences.filter(({ type }) => type !== 'distribution')
  return { ...rest, ...(kept.length > 0 && { externalReferences: kept }) }
}
