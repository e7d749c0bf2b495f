import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { listOf, textAt, zonesIn } from '../engine/answers.ts'
import {
  type AbilityRead,
  type CredentialFault,
  clockSkew,
  type FoundAbilities,
  invalid,
  type OpenCredential,
  type ProviderAnswer,
  type ProviderRequest,
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

function signed(
  { apiKey, parts }: OpenCredential,
  { service, path, nowMs }: { service: 'identity' | 'dns'; path: string; nowMs: number },
): ProviderRequest {
  const { tenancyId = '', userId = '', fingerprint = '', region = '', passphrase } = parts
  const key = readKey(apiKey, passphrase)
  const url = `https://${service}.${region}.oraclecloud.com${path}`
  const date = new Date(nowMs).toUTCString()
  // An unsigned call is rejected as one with a wrong part, which is correct.
  const headers = key ? ociHeaders(`${tenancyId}/${userId}/${fingerprint}`, key, url, date) : {}
  return { path, headers, label: region, ...(service === 'dns' && { origin: 'dns' }) }
}

export default provider({
  id: 'oraclecloud',
  title: 'Oracle Cloud',
  docs: 'https://docs.oracle.com/en-us/iaas/api/#/en/identity/20160918/User/GetUser',
  keyPage: 'https://cloud.oracle.com/identity/domains/my-profile/api-keys',
  baseUrl: 'https://identity.*.oraclecloud.com',
  origins: { dns: 'https://dns.*.oraclecloud.com' },
  keyTypes: {
    api_key: {
      label: 'API signing key',
      keyLabel: 'private key (PEM)',
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
    'region counts as a wrong part. The second call lists the zones of the root compartment, or looks up one zone. A missing permission and a ' +
    'missing zone get the same answer, so neither is shown; zones in other compartments are not listed.',
  firstRead: { grows: 'never' },
  abilities: { isAlwaysRead: true, list: zoneList(), zone: zoneSearch() },
  permissions: { 'zones:list': 'dns-zones', 'dns:read': 'dns-records', 'dns:edit': 'dns-records' },
  request: (credential, { nowMs }) =>
    signed(credential, { service: 'identity', path: `/20160918/users/${credential.parts.userId}`, nowMs }),
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

function dnsRead(pathOf: (credential: OpenCredential, zone: string) => string, find: AbilityRead['find']): AbilityRead {
  return {
    request: (credential, { nowMs }, { zone }) =>
      signed(credential, { service: 'dns', path: `/20180115/${pathOf(credential, zone)}`, nowMs }),
    find,
  }
}

/** The compartment is mandatory. An empty list says nothing about the other compartments. */
function zoneList(): AbilityRead {
  return dnsRead(
    ({ parts: { tenancyId } }) => `zones?compartmentId=${tenancyId}&limit=20`,
    (answer) => {
      const zones = answer.status === 200 ? listOf(answer.body, '', 'zoneType') : undefined
      const names = zones?.map((zone) => textAt(zone, 'name')) ?? []
      if (names.length > 0) return { capabilities: zonesIn(names, { hasMore: true }) }
      return zones ? {} : refusalOf(answer)
    },
  )
}

function zoneSearch(): AbilityRead {
  return dnsRead(
    (_, zone) => `zones/${zone}`,
    (answer, { zone }) => {
      const { status, body } = answer
      const isZone = textAt(body, 'id').startsWith('ocid1.dns-zone.') && textAt(body, 'name') === zone
      return status === 200 && isZone ? { hasZone: true } : refusalOf(answer)
    },
  )
}

function refusalOf({ status, body }: ProviderAnswer): FoundAbilities | undefined {
  const code = textAt(body, 'code')
  if (status === 403 && code === 'SignUpRequired')
    return { caveat: 'service_not_enabled', capabilities: { missing: ['DNS'] } }
  return status === 404 && code === 'NotAuthorizedOrNotFound' ? {} : undefined
}
