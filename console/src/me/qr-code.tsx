import { encode } from 'uqr'

interface QrCodeProps {
  readonly text: string
  /** What it is, for those who cannot see it. */
  readonly name: string
}

/** Black on white in both colour schemes: cameras expect it. One path, so that it needs no styles of its own. */
export function QrCode({ text, name }: QrCodeProps) {
  const { size, data } = encode(text, { ecc: 'M', border: 4 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg className="qr" role="img" aria-label={name} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path} />
    </svg>
  )
}
