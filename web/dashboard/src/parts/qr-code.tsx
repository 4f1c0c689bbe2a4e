import { useMemo } from 'react'
import { encode } from 'uqr'

// The quiet zone: readers need four light modules around the code. Level M can lose 15 %.
const options = { border: 4, ecc: 'M' } as const

// Approximate width. Each module has whole pixels, so edges stay sharp.
const width_px = 180

/**
 * Text as a QR code, generated in the browser: a payment link is a secret that must not be sent to
 * another service. Always dark on white: few readers accept inverted codes.
 */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = useMemo(() => encode(text, options), [text])
  const module_px = Math.max(3, Math.round(width_px / size))
  const path = data.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={size * module_px}
      height={size * module_px}
      shapeRendering="crispEdges"
      className="block rounded-lg"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path.join('')} fill="#12211b" />
    </svg>
  )
}
