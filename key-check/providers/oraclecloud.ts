import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { textAt } from '../engine/answer-body.ts'
import {
  type CredentialFault,
  clockSkew,
  invalid,
  type OpenCredential,
  provider,
  undetermined,
  valid,
} from '../engine/provider.ts'
import { ociHeaders } from '../engine/signatures.ts'

function readKey(pem: string, passphrase?: string): KeyObject | undefined {
  try {
    const key = createPrivateKey({ key: pem, ...(passphrase !== undefined && { passphrase }) })
    return key.asymmetricKeyType === 'rsa' ? key : undefined
  } catch {
    // Not a private key, or the wrong passphrase. The error is dropped because it quotes the key.
    return undefined
  }
}

/** A key with a passphrase is unreadable without it. */
function isMalformed(pem: string): boolean {
  const isEncrypted = /ENCRYPTED/.test(pem)
  return isEncrypted ? !pem.includes('PRIVATE KEY-----') : readKey(pem) === undefined
}

/** The MD5 of the public key (docs.oracle.com/en-us/iaas/Content/API/Concepts/apisigningkey.htm, 2026-11). */
function fingerprintOf(key: KeyObject): string {
  const md5 = createHash('md5')
    .update(createPublicKey(key).export({ type: 'spki', format: 'der' }))
    .digest('hex')
  return md5.replace(/..(?=.)/g, '$&:')
}

function faultOf(pem: string, { fingerprint, passphrase }: OpenCredential['parts']): CredentialFault | undefined {
  if (isMalformed(pem)) return { reason: 'malformed' }
  const key = readKey(pem, passphrase)
  if (!key || fingerprintOf(key) === fingerprint) return undefined
  return { reason: 'unmatched_parts', part: 'fingerprint', other: 'private key' }
}

function signedHeaders({ apiKey, parts }: OpenCredential, url: string, nowMs: number): Record<string, string> {
  const { tenancyId = '', userId = '', fingerprint = '', passphrase } = parts
  const key = readKey(apiKey, passphrase)
  // An unsigned call is rejected as one with a wrong part, which is correct.
  if (!key) return {}
  return ociHeaders(`${tenancyId}/${userId}/${fingerprint}`, key, url, new Date(nowMs).toUTCString())
}

export default provider({
  id: 'oraclecloud',
  title: 'Oracle Cloud',
  docs: 'https://docs.oracle.com/en-us/iaas/api/#/en/identity/20160918/User/GetUser',
  keyPage: 'https://cloud.oracle.com/identity/domains/my-profile/api-keys',
  baseUrl: 'https://identity.*.oraclecloud.com',
  keyTypes: {
    api_key: {
      label: 'API signing key',
      keyLabel: 'private key (PEM)',
      email: 'unused',
      isMultiline: true,
      faultOf,
      parts: {
        tenancyId: { label: 'tenancy OCID', mustMatch: '^ocid1\\.tenancy\\.oc1\\.[a-z0-9-]*\\.[a-z0-9]+$' },
        // It becomes part of the path.
        userId: { label: 'user OCID', mustMatch: '^ocid1\\.user\\.oc1\\.[a-z0-9-]*\\.[a-z0-9]+$' },
        fingerprint: { label: 'fingerprint', mustMatch: '^[0-9a-f]{2}(:[0-9a-f]{2}){15}$' },
        // It becomes part of the host name.
        region: { label: 'home region', mustMatch: '^[a-z]{2,3}(-[a-z]{2,20}){1,3}-[0-9]$', example: 'us-ashburn-1' },
        passphrase: { label: 'passphrase', isSecret: true, isOptional: true, isChosen: true },
      },
    },
  },
  certainty: 'logged',
  remarks:
    'Commercial tenancies only (OCIDs with oc1), by home region. Oracle Cloud does not say which part is wrong; a wrong passphrase or ' +
    'region counts as a wrong part.',
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  request(credential, { nowMs }) {
    const { userId = '', region = '' } = credential.parts
    const path = `/20160918/users/${userId}`
    const url = `https://identity.${region}.oraclecloud.com${path}`
    return { path, headers: signedHeaders(credential, url, nowMs), label: region }
  },
  classify({ status, body }) {
    const [code, message] = [textAt(body, 'code'), textAt(body, 'message')]
    if (status === 200 && textAt(body, 'id').startsWith('ocid1.user.') && textAt(body, 'lifecycleState')) return valid()
    if (status === 401 && code === 'NotAuthenticated') {
      if (message.includes('is not within allowed clock skew')) return clockSkew
      if (message.endsWith('was not provided or was incorrect.')) return invalid('wrong_parts')
    }
    // Permissions are checked after the signature.
    if (status === 404 && code === 'NotAuthorizedOrNotFound') return valid('limited_permissions')
    return undetermined('unexpected_answer')
  },
})
