import { useMemo } from 'react'
import { qrMatrix } from './qr-matrix.ts'

// The quiet zone: readers need four light modules around the code.
const quiet = 4

// Approximate width. Each module has whole pixels, so edges stay sharp.
const width_px = 180

/** Text as a QR code. Always dark on white: few readers accept inverted codes. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const matrix = useMemo(() => qrMatrix(text), [text])
  if (matrix === undefined) return null
  const size = matrix.length + 2 * quiet
  const module_px = Math.max(3, Math.round(width_px / size))
  const path = matrix.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark ? [`M${x + quiet} ${y + quiet}h1v1h-1z`] : [])),
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
