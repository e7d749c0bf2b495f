import { createPrivateKey, type KeyObject } from 'node:crypto'
import { textAt } from '../engine/answer-body.ts'
import { clockSkew, invalid, provider, retry, undetermined, valid } from '../engine/provider.ts'
import { jwtRs256 } from '../engine/signatures.ts'

const url = 'https://oauth2.googleapis.com/token'

interface ServiceAccount {
  readonly email: string
  readonly keyId: string
  readonly key: KeyObject
}

/** Only what signs is read: an address in the file would make this service sign for a stranger's host. */
function readServiceAccount(file: string): ServiceAccount | undefined {
  try {
    const content: unknown = JSON.parse(file)
    if (textAt(content, 'type') !== 'service_account') return undefined
    // Copies from environment files have a backslash and an n where a line ends.
    const key = createPrivateKey(textAt(content, 'private_key').replaceAll('\\n', '\n'))
    const [email, keyId] = [textAt(content, 'client_email'), textAt(content, 'private_key_id')]
    return email && keyId && key.asymmetricKeyType === 'rsa' ? { email, keyId, key } : undefined
  } catch {
    // Neither JSON nor a private key: the file is malformed, which is the answer. The error would quote it.
    return undefined
  }
}

function assertionOf(file: string, nowMs: number): string {
  const account = readServiceAccount(file)
  if (!account) return ''
  const scope = 'https://www.googleapis.com/auth/ndev.clouddns.readonly'
  const iat = Math.floor(nowMs / 1_000)
  const claims = { iss: account.email, scope, aud: url, iat, exp: iat + 600 }
  return jwtRs256(account.key, { kid: account.keyId }, claims)
}

export default provider({
  id: 'googlecloud',
  title: 'Google Cloud',
  docs: 'https://developers.google.com/identity/protocols/oauth2/service-account',
  keyPage: 'https://console.cloud.google.com/iam-admin/serviceaccounts',
  baseUrl: 'https://oauth2.googleapis.com',
  keyTypes: {
    api_key: {
      label: 'service account key',
      keyLabel: 'JSON file of the service account key',
      email: 'unused',
      isMultiline: true,
      faultOf: (file) => (readServiceAccount(file) ? undefined : 'malformed'),
    },
  },
  refusesNewKeys: true, // about 5 s
  certainty: 'logged',
  remarks:
    'The key signs for a token, which is discarded: that proves it genuine and in force, and says nothing of its rights on Cloud DNS or ' +
    'Cloud CDN. Files of users and of external accounts are no service account keys. Addresses in the file are ignored.',
  request: ({ apiKey }, { nowMs }) => ({
    path: '/token',
    headers: {},
    form: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: assertionOf(apiKey, nowMs) },
  }),
  classify({ status, body }) {
    if (status === 200 && textAt(body, 'access_token') && textAt(body, 'token_type') === 'Bearer') return valid()
    if (status !== 400 || textAt(body, 'error') !== 'invalid_grant') return undetermined('unexpected_answer')
    const description = textAt(body, 'error_description')
    if (description.startsWith('Invalid JWT: Token must be a short-lived token')) return clockSkew
    // Both were reported to come once in a while for good keys.
    if (description === 'Invalid JWT Signature.') return retry(invalid('unknown_part', { part: 'private key' }))
    if (description === 'Invalid grant: account not found')
      return retry(invalid('unknown_part', { part: 'e-mail address' }))
    return undetermined('unexpected_answer')
  },
})
