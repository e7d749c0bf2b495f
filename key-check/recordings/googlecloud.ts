import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { compactVerify, decodeJwt } from 'jose'
import type { RecordedCredential, Recording, Sent } from '../simulator/recording.ts'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const url = 'https://oauth2.googleapis.com/token'

/** A service account file as downloaded from Google, with a foreign address that must be ignored. */
function fileFor(name: string): string {
  const file = {
    type: 'service_account',
    project_id: 'example',
    private_key_id: `googlecloud-${name}`,
    private_key: pem,
    client_email: 'dns@example.iam.gserviceaccount.com',
    token_uri: 'https://stranger.example/token',
  }
  return JSON.stringify(file, undefined, 2)
}

/** Whether the assertion names the key in the file, is signed with it, and is for Google. */
async function isSignedBy(sent: Sent, { apiKey }: RecordedCredential): Promise<boolean> {
  const form = new URLSearchParams(sent.body)
  const isGrant = form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer'
  const assertion = form.get('assertion') ?? ''
  const verified = await compactVerify(assertion, createPublicKey(pem), { algorithms: ['RS256'] }).catch(
    () => undefined,
  )
  if (!isGrant || !verified) return false
  const { iss, aud, iat = 0, exp = 0 } = decodeJwt(assertion)
  const isClaimed = iss === 'dns@example.iam.gserviceaccount.com' && aud === url && exp > iat && exp <= iat + 3_600
  return isClaimed && apiKey.includes(`"${verified.protectedHeader.kid}"`)
}

export const recording: Recording = {
  id: 'googlecloud',
  keyType: 'api_key',
  parts: {},
  keyOf: fileFor,
  call: {
    method: 'POST',
    path: '/token',
    headers: {},
    accepts: isSignedBy,
  },
  answers: [
    {
      name: 'valid',
      source: 'https://developers.google.com/identity/protocols/oauth2/service-account, 2026-11',
      status: 200,
      body: { access_token: 'ya29.example', expires_in: 3599, token_type: 'Bearer' },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'deleted',
      source: 'crossplane-contrib/provider-jet-gcp#56 and google-github-actions/setup-gcloud#76',
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' },
      verdict: { isValid: false, code: 'unknown_part' },
    },
    {
      name: 'unknown-account',
      source: 'googleapis/google-cloud-php#3622 and google/oculi#5',
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Invalid grant: account not found' },
      verdict: { isValid: false, code: 'unknown_part' },
    },
    {
      name: 'clock',
      source: 'googleapis/google-api-php-client#1429',
      status: 400,
      body: {
        error: 'invalid_grant',
        error_description:
          'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.',
      },
      problem: 'provider_clock_refused',
    },
    {
      name: 'no-reason',
      source: 'googleapis/google-api-nodejs-client#540',
      status: 400,
      body: { error: 'invalid_grant' },
    },
    {
      name: 'rate-limited',
      madeUp: 'stands for any 429',
      status: 429,
      headers: { 'retry-after': '17' },
      body: {},
    },
  ],
}
