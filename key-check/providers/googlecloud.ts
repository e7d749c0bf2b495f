import { createPrivateKey, type KeyObject } from 'node:crypto'
import { type Ability, accessTokenIn, listAt, listOf, textAt, valueAt, zonesIn } from '../engine/answers.ts'
import type { AbilityRead, CredentialFault, FoundAbilities, ProviderAnswer } from '../engine/provider.ts'
import { clockSkew, invalid, provider, retry, undetermined, valid } from '../engine/provider.ts'
import { jwtRs256 } from '../engine/signatures.ts'

const url = 'https://oauth2.googleapis.com/token'

/** For reading zones, and for asking which permissions the key has. */
const scopes = ['ndev.clouddns.readonly', 'cloudplatformprojects.readonly']

interface ServiceAccount {
  readonly email: string
  /** '' if the file names no project. */
  readonly project: string
  readonly keyId: string
  readonly key: KeyObject
}

const keyLabel = 'JSON file of the service account key'

/** Members that no service account has would be sent in a signed request, and into a path. */
function faultOf(file: string): CredentialFault | undefined {
  if (/^-----BEGIN /.test(file)) return { reason: 'pem_block', part: keyLabel }
  const content = contentOf(file)
  if (textAt(content, 'type') !== 'service_account') return { reason: 'malformed' }
  const part = malformedMember(content)
  return part === undefined ? undefined : { reason: 'malformed_part', part }
}

function malformedMember(content: unknown): string | undefined {
  if (!keyIn(content)) return 'private key'
  if (!emailForm.test(textAt(content, 'client_email'))) return 'email address (client_email)'
  return keyIdForm.test(textAt(content, 'private_key_id')) ? undefined : 'key ID (private_key_id)'
}

// Wider than the forms that Google documents, so that no real file is rejected.
const emailForm = /^[A-Za-z0-9._+-]{1,200}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63}){1,10}$/
const keyIdForm = /^[A-Za-z0-9_-]{1,128}$/

function contentOf(file: string): unknown {
  try {
    return JSON.parse(file)
  } catch {
    // The error is dropped because it quotes the file.
    return undefined
  }
}

function keyIn(content: unknown): KeyObject | undefined {
  try {
    // Keys copied from environment files have `\n` instead of line feeds.
    const key = createPrivateKey(textAt(content, 'private_key').replaceAll('\\n', '\n'))
    return key.asymmetricKeyType === 'rsa' ? key : undefined
  } catch {
    // The error is dropped because it may quote the key.
    return undefined
  }
}

/** Reads only what the signature needs. An address in the file could make this server sign for another host. */
function readServiceAccount(file: string): ServiceAccount | undefined {
  const content = contentOf(file)
  const key = keyIn(content)
  if (!key) return undefined
  const [email, keyId] = [textAt(content, 'client_email'), textAt(content, 'private_key_id')]
  // It becomes part of a path. Old projects of a domain have a colon.
  const project = /^[a-z][a-z0-9.:-]{4,80}$/.exec(textAt(content, 'project_id'))?.[0] ?? ''
  return { email, project, keyId, key }
}

function assertionOf(file: string, nowMs: number): string {
  const account = readServiceAccount(file)
  if (!account) return ''
  const scope = scopes.map((name) => `https://www.googleapis.com/auth/${name}`).join(' ')
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
  origins: { dns: 'https://dns.googleapis.com', projects: 'https://cloudresourcemanager.googleapis.com' },
  keyTypes: {
    api_key: {
      label: 'service account key',
      keyLabel,
      isMultiline: true,
      faultOf,
    },
  },
  newKeys: { settlesAfterMs: 5_000, source: 'hashicorp/vault-plugin-secrets-gcp#111' },
  firstRead: { grows: 'never' },
  abilities: { isAlwaysRead: true, list: zonesRead(), zone: zonesRead() },
  permissions: {
    'zones:list': 'dns.managedZones.list',
    'dns:read': 'dns.resourceRecordSets.list',
    'dns:edit': 'dns.changes.create',
  },
  certainty: 'logged',
  remarks:
    'The key signs a request for a token that may only read, and that is discarded after the check. It reads the zones of the project in the file. ' +
    'Permissions on single zones and on Cloud CDN are not read. Files of users and of external accounts are not service account keys. Addresses in the file are ignored.',
  request: ({ apiKey }, { nowMs }) => ({
    path: '/token',
    headers: {},
    form: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: assertionOf(apiKey, nowMs) },
  }),
  classify({ status, body }) {
    const isGranted = accessTokenIn(body) !== '' && textAt(body, 'token_type') === 'Bearer'
    if (status === 200 && isGranted && valueAt(body, 'error') === undefined) return valid()
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

/** One read of the project in the file, with the token of the first answer. */
function projectRead(origin: string, callOf: CallOf, find: AbilityRead['find']): AbilityRead {
  return {
    request: ({ apiKey }, _, { zone, decided }) => ({
      origin,
      headers: { authorization: `Bearer ${accessTokenIn(decided.body)}` },
      ...callOf(readServiceAccount(apiKey)?.project ?? '', zone),
    }),
    find,
  }
}

type CallOf = (project: string, zone: string) => { readonly path: string; readonly body?: string }

/** Lists the zones of the project, or the zones of one name. A project may have a public and a private one. */
function zonesRead(): AbilityRead {
  const path = (project: string) => `/dns/v1/projects/${project}/managedZones?maxResults=20&`
  const fields = 'fields=kind,nextPageToken,managedZones(dnsName)'
  return projectRead(
    'dns',
    (project, zone) => ({ path: `${path(project)}${zone ? `dnsName=${zone}.&` : ''}${fields}` }),
    (answer, { zone }) => zonesFrom(answer, zone) ?? refusalOf(answer),
  )
}

function zonesFrom({ status, body }: ProviderAnswer, zone: string): FoundAbilities | undefined {
  const isList = status === 200 && textAt(body, 'kind') === 'dns#managedZonesListResponse'
  const zones = valueAt(body, 'managedZones') === undefined ? [] : listOf(body, 'managedZones', 'dnsName')
  if (!isList || !zones) return undefined
  const names = zones.map((one) => textAt(one, 'dnsName'))
  const hasMore = valueAt(body, 'nextPageToken') !== undefined
  if (zone) {
    const hasZone = names.includes(`${zone}.`)
    const next = hasZone ? { next: permissionsRead() } : {}
    return { capabilities: { abilities: ['zones:list'] }, ...((hasZone || !hasMore) && { hasZone }), ...next }
  }
  const capabilities = zonesIn(names, { hasMore })
  return names.length === 0 && !hasMore
    ? { capabilities, caveat: 'no_zones' }
    : { capabilities, next: permissionsRead() }
}

function refusalOf({ status, body }: ProviderAnswer): FoundAbilities | undefined {
  const reason = textAt(body, 'error.errors.0.reason')
  if (status !== 403 || valueAt(body, 'error.code') !== 403) return undefined
  if (reason === 'accessNotConfigured')
    return { caveat: 'service_not_enabled', capabilities: { missing: ['the Cloud DNS API'] } }
  return reason === 'forbidden' ? { capabilities: { lacks: ['zones:list'] } } : undefined
}

/** What the permissions on the project allow. A permission that is missing there may be granted on a single zone. */
const allowedBy: Readonly<Partial<Record<Ability, readonly string[]>>> = {
  'dns:read': ['dns.resourceRecordSets.list'],
  'dns:edit': [
    'dns.changes.create',
    'dns.resourceRecordSets.create',
    'dns.resourceRecordSets.delete',
    'dns.resourceRecordSets.update',
  ],
}
const asked = Object.values(allowedBy).flat()

/** Asks which permissions the key has on the project, which needs none (cloud.google.com/resource-manager, testIamPermissions). */
function permissionsRead(): AbilityRead {
  return projectRead(
    'projects',
    (project) => ({
      path: `/v1/projects/${project}:testIamPermissions`,
      body: JSON.stringify({ permissions: asked }),
    }),
    ({ status, body }) => {
      // Many projects have not enabled this API.
      if (status === 403 && textAt(body, 'error.errors.0.reason') === 'accessNotConfigured') return {}
      const granted = status === 200 ? (listAt(body, 'permissions') ?? []) : undefined
      if (!granted?.every((name) => typeof name === 'string' && asked.includes(name))) return undefined
      const abilities = (['dns:read', 'dns:edit'] as const).filter((ability) =>
        allowedBy[ability]?.every((name) => granted.includes(name)),
      )
      return abilities.length > 0 ? { capabilities: { abilities } } : {}
    },
  )
}
