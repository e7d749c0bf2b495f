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

/** Reads only what the signature needs. An address in the file could make this server sign for another host. */
function readServiceAccount(file: string): ServiceAccount | undefined {
  try {
    const content: unknown = JSON.parse(file)
    if (textAt(content, 'type') !== 'service_account') return undefined
    // Keys copied from environment files have `\n` instead of line feeds.
    const key = createPrivateKey(textAt(content, 'private_key').replaceAll('\\n', '\n'))
    const [email, keyId] = [textAt(content, 'client_email'), textAt(content, 'private_key_id')]
    return email && keyId && key.asymmetricKeyType === 'rsa' ? { email, keyId, key } : undefined
  } catch {
    // Neither JSON nor a private key, so the file is malformed. The error is dropped because it quotes the file.
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
  firstRead: { grows: 'never' },
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  certainty: 'logged',
  remarks:
    'The key signs a request for a token, which is discarded. This proves that it is genuine and active. It does not show its permissions on Cloud DNS or ' +
    'Cloud CDN. Files of users and of external accounts are not service account keys. Addresses in the file are ignored.',
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
    // Both were reported to happen occasionally with valid keys.
    if (description === 'Invalid JWT Signature.') return retry(invalid('unknown_part', { part: 'private key' }))
    if (description === 'Invalid grant: account not found')
      return retry(invalid('unknown_part', { part: 'email address' }))
    return undetermined('unexpected_answer')
  },
})
