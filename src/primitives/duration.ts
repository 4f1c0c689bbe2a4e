// Durations on the command line: 90s, 45m, 12h, 3d, 2w.

const unit_s: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

const shape = /^(\d{1,12})([smhdw])$/

/** Seconds, or undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const parts = shape.exec(text)
  return parts === null ? undefined : Number(parts[1]) * unit_s[parts[2]!]!
}
