#!/usr/bin/env node
// Entry point of the `florin` command line.

import { fileURLToPath } from 'node:url'
import { launch } from './launch.mjs'

await launch(fileURLToPath(import.meta.url), () => import('../src/cli.ts'))
