// Finds an installed browser. The tests never download one.

import { existsSync } from 'node:fs'

const usualPaths = [
  // The headless shell needs two thirds of the CPU time of the full browser for the same pages.
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
  // Chromium's sandbox does not work as root, and the tests load only our own pages.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
