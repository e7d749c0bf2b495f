import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto'
import type { RecordedCredential, Sent } from './recording.ts'
import { isSignedOci } from './signatures.ts'

export const oracleParts = {
  tenancyId: 'ocid1.tenancy.oc1..aaaaaaaatenancy',
  userId: 'ocid1.user.oc1..aaaaaaaauser',
  fingerprint: '20:3b:97:13:55:1c:5b:0d:d3:37:d8:50:4e:c5:3a:34',
  region: 'us-ashburn-1',
}

const keys = new Map<string, string>()

/** One key per answer, small because it is quick to generate. */
export function oracleKeyFor(name: string): string {
  const known = keys.get(name)
  if (known !== undefined) return known
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim()
  keys.set(name, key)
  return key
}

/** The parts of a recorded key: the fingerprint is that of the key. */
export function oraclePartsOf(key: string): Readonly<Record<string, string>> {
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const digits = createHash('md5').update(der).digest('hex').match(/../g) ?? []
  return { ...oracleParts, fingerprint: digits.join(':') }
}

/** Whether a call was signed with this credential for the host of a service. */
export function isSignedForOracle(service: 'identity' | 'dns') {
  return (sent: Sent, { apiKey, parts }: RecordedCredential): boolean => {
    const keyId = [parts.tenancyId, parts.userId, parts.fingerprint].join('/')
    const path = sent.path.replace(/^\/@dns/, '')
    return isSignedOci({ ...sent, path }, `${service}.${parts.region}.oraclecloud.com`, keyId, createPublicKey(apiKey))
  }
}
