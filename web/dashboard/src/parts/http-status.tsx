const looks: Record<string, string> = {
  2: 'bg-brand-soft text-brand',
  3: 'bg-blue-soft text-blue',
  4: 'bg-amber-soft text-amber',
  5: 'bg-red-soft text-red',
}

/** The status of an HTTP answer, in the color of its class. */
export function HttpStatus({ of }: { of: number }) {
  const look = looks[String(of)[0]!] ?? looks[5]
  return (
    <span className={`figures inline-flex rounded-md px-2 py-0.5 text-xs font-semibold ${look}`}>
      {of}
    </span>
  )
}

/** 1 240 ms are 1.24 s. */
export function durationText(duration_ms: number): string {
  return duration_ms < 1_000 ? `${duration_ms} ms` : `${(duration_ms / 1_000).toFixed(2)} s`
}
