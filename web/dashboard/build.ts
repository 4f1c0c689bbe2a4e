// Builds the dashboard into dist/. dist/ is committed, so running Florin needs no build tools.
// `node web/dashboard/build.ts --check` writes nothing and fails when dist/ is stale.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build } from 'vite'

const here = fileURLToPath(new URL('.', import.meta.url))
const dist = join(here, 'dist')

const common_parts = new RegExp(
  'src/parts/(button|card|copy-button|curl-line|data-list|truncated-text|days|failure|icon|money|' +
    'page-header|segments|short-id|status|use-copy|when)\\.tsx?$',
)

if (process.argv.includes('--check')) await check()
else await buildInto(dist)

async function buildInto(outDir: string): Promise<void> {
  await build({
    root: here,
    base: '/dashboard/',
    configFile: false,
    mode: 'production',
    logLevel: 'warn',
    plugins: [react(), tailwind()],
    build: {
      outDir,
      emptyOutDir: true,
      // No inlining: the Content-Security-Policy allows only files from this origin.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2023',
      // Keeps light-dark() untranspiled. All browsers support it since May 2024.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      reportCompressedSize: false,
      rolldownOptions: {
        output: {
          // Small modules that nearly every page needs compress better in one file.
          codeSplitting: {
            groups: [{ name: 'parts', test: common_parts }],
          },
        },
      },
      chunkSizeWarningLimit: 600,
    },
  })
}

async function check(): Promise<void> {
  const fresh = mkdtempSync(join(tmpdir(), 'florin-dashboard-'))
  try {
    await buildInto(fresh)
    const stale = differences(readAll(fresh), readAll(dist))
    if (stale.length === 0) return
    console.error(`web/dashboard/dist does not match its source: ${stale.join(', ')}.`)
    console.error('Run "npx node web/dashboard/build.ts" and commit the result.')
    process.exitCode = 1
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

function readAll(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path), readFileSync(path, 'base64')]),
  )
}

function differences(fresh: Map<string, string>, committed: Map<string, string>): string[] {
  const names = new Set([...fresh.keys(), ...committed.keys()])
  return [...names].filter((name) => fresh.get(name) !== committed.get(name)).sort()
}
