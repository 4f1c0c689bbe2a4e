// The theme: light, dark or system. theme.js applies it before the first paint.

import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'

const key = 'florin-theme'
const listeners = new Set<() => void>()

export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(subscribe, readTheme)
  return [theme, chooseTheme]
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function readTheme(): Theme {
  const stored = localStorage.getItem(key)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

function chooseTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(key)
    delete document.documentElement.dataset.theme
  } else {
    localStorage.setItem(key, theme)
    document.documentElement.dataset.theme = theme
  }
  for (const listener of listeners) listener()
}
