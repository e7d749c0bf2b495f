import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { compactVerify, decodeJwt } from 'jose'
import type { RecordedCredential, Sent } from './recording.ts'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const url = 'https://oauth2.googleapis.com/token'

/** A service account file as downloaded from Google, with a foreign address that must be ignored. */
export function serviceAccountFile(name: string): string {
  const file = {
    type: 'service_account',
    project_id: 'named-archway-000000',
    private_key_id: `googlecloud-${name}`,
    private_key: pem,
    client_email: 'dns@named-archway-000000.iam.gserviceaccount.com',
    token_uri: 'https://stranger.example/token',
  }
  return JSON.stringify(file, undefined, 2)
}

/** Whether the assertion names the key in the file, is signed with it, and is for Google. */
export async function isSignedByServiceAccount(sent: Sent, { apiKey }: RecordedCredential): Promise<boolean> {
  const form = new URLSearchParams(sent.body)
  const isGrant = form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  const assertion = form.get('assertion') ?? ''
  const verified = await compactVerify(assertion, createPublicKey(pem), { algorithms: ['RS256'] }).catch(
    () => undefined,
  )
  if (!isGrant || !verified) return false
  const { iss, aud, iat = 0, exp = 0, scope } = decodeJwt(assertion)
  const isReadOnly = String(scope)
    .split(' ')
    .every((word) => word.endsWith('.readonly'))
  const isOfFile = iss === 'dns@named-archway-000000.iam.gserviceaccount.com' && aud === url
  const isClaimed = isOfFile && exp > iat && exp <= iat + 3_600 && isReadOnly
  return isClaimed && apiKey.includes(`"${verified.protectedHeader.kid}"`)
}
