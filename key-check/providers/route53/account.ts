/**
 * The account number in an access key ID, 12 digits. Undefined for IDs of the older form, whose fifth character is I or J, and for anything
 * else (trufflesecurity/trufflehog pkg/detectors/aws/utils.go @3ab759f).
 */
export function accountIn(accessKeyId: string): string | undefined {
  const [, digits] = /^(?:AKIA|ASIA)([A-HK-Z2-7][A-Z2-7]{15})$/.exec(accessKeyId) ?? []
  if (digits === undefined) return undefined
  const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...digits].map((digit) => base32.indexOf(digit).toString(2).padStart(5, '0')).join('')
  // 40 bits after the first.
  return BigInt(`0b${bits.slice(1, 41)}`)
    .toString()
    .padStart(12, '0')
}
