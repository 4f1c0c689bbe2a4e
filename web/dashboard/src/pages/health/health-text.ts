// Formats the figures of the health page.

const sizes: [string, number][] = [
  ['TB', 1e12],
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
]

export function bytesText(bytes: number): string {
  const [unit, size] = sizes.find(([, one]) => bytes >= one) ?? ['bytes', 1]
  const value = bytes / size
  return `${value.toFixed(value < 10 && size > 1 ? 1 : 0)} ${unit}`
}

export function msText(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(1)} s`
  return `${ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`
}

export function perSecondText(rate: number): string {
  return `${rate >= 10 ? Math.round(rate).toLocaleString('en') : Number(rate.toFixed(1))}/s`
}

export function countText(count: number): string {
  return Number(count.toFixed(1)).toLocaleString('en')
}

/** The time since an instant: "2 d 3 h", "3 h 5 min". */
export function spanText(since: string, now_ms: number): string {
  const minutes = Math.max(0, Math.floor((now_ms - Date.parse(since)) / 60_000))
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24]
  if (days > 0) return `${days} d ${hours} h`
  if (hours > 0) return `${hours} h ${minutes % 60} min`
  return minutes === 0 ? 'less than a minute' : `${minutes} min`
}
