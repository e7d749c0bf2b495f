import {
  type Ability,
  addressesIn,
  type Capabilities,
  listAt,
  matchesPattern,
  scopesIn,
  textAt,
  valueAt,
} from '../engine/answers.ts'
import {
  clockSkew,
  invalid,
  type OpenCredential,
  type Outcome,
  type ProviderRequest,
  provider,
  undetermined,
  valid,
} from '../engine/provider.ts'
import { ovhHeaders } from '../engine/signatures.ts'

/** A key is valid at one endpoint only. */
const endpoints: Readonly<Record<string, string>> = {
  'ovh-eu': 'https://eu.api.ovh.com/1.0',
  'ovh-ca': 'https://ca.api.ovh.com/1.0',
  'ovh-us': 'https://api.us.ovhcloud.com/1.0',
  'kimsufi-eu': 'https://eu.api.kimsufi.com/1.0',
  'kimsufi-ca': 'https://ca.api.kimsufi.com/1.0',
  'soyoustart-eu': 'https://eu.api.soyoustart.com/1.0',
  'soyoustart-ca': 'https://ca.api.soyoustart.com/1.0',
}

export default provider({
  id: 'ovh',
  title: 'OVHcloud',
  docs: 'https://eu.api.ovh.com/console/?section=%2Fauth',
  keyPage: 'https://www.ovh.com/auth/api/createToken',
  // The rules of https://github.com/kubernetes-sigs/external-dns docs/tutorials/ovh.md @08c57ee.
  smallerKeyPage:
    'https://auth.eu.ovhcloud.com/api/createToken?GET=/domain/zone&GET=/domain/zone/*/record&GET=/domain/zone/*/record/*&PUT=/domain/zone/*/record/*&POST=/domain/zone/*/record&DELETE=/domain/zone/*/record/*&GET=/domain/zone/*/soa&POST=/domain/zone/*/refresh',
  baseUrl: 'https://eu.api.ovh.com/1.0',
  origins: endpoints,
  keyTypes: {
    api_key: {
      label: 'API key',
      keyLabel: 'application secret',
      parts: {
        applicationKey: { label: 'application key', example: '7kbG7Bk7S9Nt7ZSV' },
        consumerKey: { label: 'consumer key', isSecret: true },
        endpoint: { label: 'endpoint', isOptional: true, options: Object.keys(endpoints) },
      },
    },
  },
  certainty: 'logged',
  remarks:
    'A key may read itself, whatever its rules. It is valid at one endpoint only; the others do not know it. The code for an unknown ' +
    "application key comes from a client's source code. A policy of OVHcloud IAM can limit a key further, which the key does not show. " +
    'OAuth2 clients are not supported.',
  firstRead: { grows: 'never' },
  abilities: {
    zone: {
      request: (credential, { nowMs }, { zone }) =>
        signed(credential, `/domain/zone/${zone}/record?fieldType=NS`, nowMs),
      find({ status, body }, { zone, decided }) {
        const ids = status === 200 ? listAt(body) : undefined
        const rules = rulesIn(decided.body)
        const edit = mayCall(rules, ...editsAt(zone)) ? (['dns:edit'] as const) : []
        if (ids?.length && ids.every((id) => Number.isSafeInteger(id)))
          return { hasZone: true, capabilities: { abilities: ['dns:read', ...edit] } }
        // Nothing but the text tells this from an unknown path.
        if (status === 404 && textAt(body, 'message') === 'This service does not exist') return { hasZone: false }
        if (status !== 403 || textAt(body, 'errorCode') !== 'NOT_GRANTED_CALL') return undefined
        const isForOthers = edit.length === 0 && rules.some((rule) => /^GET \/domain\/zone\/[^/*]+\//.test(rule))
        return isForOthers ? { hasZone: false } : { capabilities: { abilities: edit, lacks: ['dns:read'] } }
      },
    },
  },
  permissions: {
    'zones:list': 'GET /domain/zone',
    'dns:read': 'GET /domain/zone/*',
    'dns:edit': 'GET, POST, PUT and DELETE /domain/zone/*',
  },
  request: (credential, { nowMs }) => signed(credential, '/auth/currentCredential', nowMs),
  classify({ status, body }) {
    if (status === 200) return outcomeOfSelf(body)
    const code = textAt(body, 'errorCode')
    // ovh/php-ovh#62 has both causes.
    if (status === 400 && code === 'INVALID_SIGNATURE')
      return invalid('wrong_part', {
        part: 'application secret or consumer key',
        or: 'the consumer key has not been validated',
      })
    if (status === 400 && code === 'QUERY_TIME_OUT') return clockSkew
    if (status !== 403) return undetermined('unexpected_answer')
    if (code === 'INVALID_KEY') return invalid('unknown_part', { part: 'application key' })
    if (code === 'NOT_CREDENTIAL') return invalid('unknown_part', { part: 'consumer key' })
    // Not yet validated, refused or expired: all have this code.
    if (code === 'INVALID_CREDENTIAL') return invalid('not_active', { status: 'invalid' })
    if (code === 'NOT_GRANTED_CALL') return valid('limited_permissions')
    return undetermined('unexpected_answer')
  },
})

/** The key's own description. */
function outcomeOfSelf(body: unknown): Outcome {
  if (typeof valueAt(body, 'credentialId') !== 'number') return undetermined('unexpected_answer')
  const expiration = textAt(body, 'expiration')
  const end = expiration ? { expiresOn: expiration } : {}
  switch (textAt(body, 'status')) {
    case 'validated':
      return {
        ...valid(undefined, end, capabilitiesIn(body)),
        ...(everyCall.every((rule) => rulesIn(body).includes(rule)) && { excess: 'everything' }),
      }
    case 'expired':
      return invalid('expired', end)
    case 'pendingValidation':
      return invalid('not_active', { status: 'pending' })
    case 'refused':
      return invalid('not_active', { status: 'refused' })
    default:
      return undetermined('unexpected_answer')
  }
}

function signed(
  { apiKey, parts: { applicationKey = '', consumerKey = '', endpoint = 'ovh-eu' } }: OpenCredential,
  path: string,
  nowMs: number,
): ProviderRequest {
  const key = { applicationKey, applicationSecret: apiKey, consumerKey }
  const headers = ovhHeaders(key, { method: 'GET', url: `${endpoints[endpoint] ?? ''}${path}` }, nowMs)
  return { path, headers, ...(endpoint !== 'ovh-eu' && { origin: endpoint }) }
}

/** A rule for one zone shows nothing here; the lookup of a zone reads it. */
function capabilitiesIn(body: unknown): Capabilities {
  const rules = rulesIn(body)
  const abilities: Ability[] = []
  if (mayCall(rules, 'GET /domain/zone') || rules.includes('GET /domain/zone/')) abilities.push('zones:list')
  if (mayCall(rules, 'GET /domain/zone/any/record', 'GET /domain/zone/any/record/1')) abilities.push('dns:read')
  if (mayCall(rules, ...editsAt('any'))) abilities.push('dns:edit')
  // A read-only key can change nothing, whatever its paths.
  const isReadOnly = rules.length > 0 && rules.every((rule) => rule.startsWith('GET /'))
  return {
    ...scopesIn(rules, {}),
    ...(abilities.length > 0 && { abilities }),
    ...(isReadOnly && { lacks: ['dns:edit'] }),
    ...addressesIn(listAt(body, 'allowedIPs') ?? []),
  }
}

/** The calls that edit records. Clients do not agree on PUT: certbot allows it, lego does not. */
function editsAt(zone: string): readonly string[] {
  return ['POST record', 'DELETE record/1', 'POST refresh'].map((call) => call.replace(' ', ` /domain/zone/${zone}/`))
}

/** The rules of a key that can do everything (ovh/python-ovh#141). */
const everyCall = ['GET /*', 'POST /*', 'PUT /*', 'DELETE /*']

/** A method and a path each. */
function rulesIn(body: unknown): readonly string[] {
  return (listAt(body, 'rules') ?? []).map((rule) => `${textAt(rule, 'method')} ${textAt(rule, 'path')}`)
}

function mayCall(rules: readonly string[], ...calls: readonly string[]): boolean {
  return calls.every((call) => rules.some((rule) => matchesPattern(rule, call)))
}
