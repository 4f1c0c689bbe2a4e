// Which browser is on this machine. None is downloaded.

import { existsSync } from 'node:fs'

const usualPaths = [
  // Chromium without windows: two thirds of the processor time for the same pages.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

export const browser_path = [process.env.CHROMIUM_PATH, ...usualPaths].find(
  (candidate) => candidate !== undefined && existsSync(candidate),
)

export const browser_args = [
  // Chromium's own sandbox does not work for root, and the pages are ours.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
