import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto'
import type { Recording } from '../simulator/recording.ts'
import { isSignedOci } from '../simulator/signatures.ts'

const keys = new Map<string, string>()

/** One key per answer, small because it is quick to generate. */
function keyFor(name: string): string {
  const known = keys.get(name)
  if (known !== undefined) return known
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim()
  keys.set(name, key)
  return key
}

const tenancyId = 'ocid1.tenancy.oc1..aaaaaaaatenancy'
const userId = 'ocid1.user.oc1..aaaaaaaauser'
const parts = { tenancyId, userId, region: 'us-ashburn-1' }

function fingerprintOf(key: string): string {
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' })
  return (createHash('md5').update(der).digest('hex').match(/../g) ?? []).join(':')
}

export const recording: Recording = {
  id: 'oraclecloud',
  keyType: 'api_key',
  parts: { ...parts, fingerprint: '20:3b:97:13:55:1c:5b:0d:d3:37:d8:50:4e:c5:3a:34' },
  partsOf: (key) => ({ ...parts, fingerprint: fingerprintOf(key) }),
  keyOf: keyFor,
  call: {
    method: 'GET',
    path: `/20160918/users/${userId}`,
    headers: {},
    accepts: (sent, { apiKey, parts }) => {
      const keyId = [parts.tenancyId, parts.userId, parts.fingerprint].join('/')
      return isSignedOci(sent, `identity.${parts.region}.oraclecloud.com`, keyId, createPublicKey(apiKey))
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'https://docs.oracle.com/en-us/iaas/api/#/en/identity/20160918/User/GetUser, 2026-11',
      status: 200,
      body: { id: userId, compartmentId: tenancyId, name: 'user@example.com', lifecycleState: 'ACTIVE' },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'wrong',
      source: 'oracle/oci-cli#514',
      status: 401,
      body: {
        code: 'NotAuthenticated',
        message: 'The required information to complete authentication was not provided or was incorrect.',
      },
      verdict: { isValid: false, code: 'wrong_parts' },
    },
    {
      name: 'clock',
      source: 'oracle/terraform-provider-oci#474',
      status: 401,
      body: {
        code: 'NotAuthenticated',
        message:
          "Date 'Fri, 17 Feb 2023 03:47:56 UTC' is not within allowed clock skew. Current 'Fri, 17 Feb 2023 03:53:53 UTC', valid datetime range: ['Fri, 17 Feb 2023 03:48:53 UTC', 'Fri, 17 Feb 2023 03:58:54 UTC']",
      },
      problem: 'provider_clock_refused',
    },
    {
      name: 'limited',
      source: 'https://docs.oracle.com/en-us/iaas/Content/API/References/apierrors.htm, 2026-11',
      status: 404,
      body: { code: 'NotAuthorizedOrNotFound', message: 'Authorization failed or requested resource not found.' },
      verdict: { isValid: true, code: 'limited_permissions' },
    },
    {
      name: 'other-401',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: { code: 'NotAuthenticated', message: 'Something else' },
    },
    {
      name: 'rate-limited',
      madeUp: 'stands for any 429',
      status: 429,
      headers: { 'retry-after': '17' },
      body: { code: 'TooManyRequests', message: 'Too many requests' },
    },
  ],
}
