const looks: Record<string, string> = {
  2: 'bg-brand-soft text-brand',
  3: 'bg-blue-soft text-blue',
  4: 'bg-amber-soft text-amber',
  5: 'bg-red-soft text-red',
}

/** An HTTP response status, colored by its class. */
export function HttpStatus({ of }: { of: number }) {
  const look = looks[String(of)[0]!] ?? looks[5]
  return (
    <span className={`figures inline-flex rounded-md px-2 py-0.5 text-xs font-semibold ${look}`}>
      {of}
    </span>
  )
}

/** "240 ms", or "1.24 s" from one second on. */
export function durationText(duration_ms: number): string {
  return duration_ms < 1_000 ? `${duration_ms} ms` : `${(duration_ms / 1_000).toFixed(2)} s`
}
