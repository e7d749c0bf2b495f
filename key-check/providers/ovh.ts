import { listAt, textAt, valueAt } from '../engine/answer-body.ts'
import { type Ability, addressesIn, type Capabilities, scopesIn } from '../engine/capabilities.ts'
import { clockSkew, invalid, type Outcome, provider, undetermined, valid } from '../engine/provider.ts'
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
const path = '/auth/currentCredential'

export default provider({
  id: 'ovh',
  title: 'OVHcloud',
  docs: 'https://eu.api.ovh.com/console/?section=%2Fauth',
  keyPage: 'https://www.ovh.com/auth/api/createToken',
  baseUrl: 'https://eu.api.ovh.com/1.0',
  origins: endpoints,
  keyTypes: {
    api_key: {
      label: 'API key',
      keyLabel: 'application secret',
      email: 'unused',
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
    "application key comes from a client's source code. OAuth2 clients are not supported.",
  firstRead: { grows: 'never' },
  abilities: 'in the first answer',
  permissions: { 'dns:read': 'GET /domain/zone/*', 'dns:edit': 'GET, POST, PUT and DELETE /domain/zone/*' },
  request({ apiKey, parts: { applicationKey = '', consumerKey = '', endpoint = 'ovh-eu' } }, { nowMs }) {
    const key = { applicationKey, applicationSecret: apiKey, consumerKey }
    const headers = ovhHeaders(key, { method: 'GET', url: `${endpoints[endpoint] ?? ''}${path}` }, nowMs)
    return { path, headers, ...(endpoint !== 'ovh-eu' && { origin: endpoint }) }
  },
  classify({ status, body }) {
    if (status === 200) return outcomeOfSelf(body)
    const code = textAt(body, 'errorCode')
    // The call has no body, so only a wrong secret can make the signature wrong.
    if (status === 400 && code === 'INVALID_SIGNATURE') return invalid('wrong_part', { part: 'application secret' })
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
      return valid(undefined, end, capabilitiesIn(body))
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

/** Rules are a method and a path. Only a rule for all zones shows an ability. */
function capabilitiesIn(body: unknown): Capabilities {
  const rules = (listAt(body, 'rules') ?? []).map((rule) => `${textAt(rule, 'method')} ${textAt(rule, 'path')}`)
  const mayDo = (method: string, ...paths: string[]) => paths.some((path) => rules.includes(`${method} ${path}`))
  const zones = ['/*', '/domain/*', '/domain/zone/*']
  const abilities: Ability[] = []
  if (mayDo('GET', '/*', '/domain/*')) abilities.push('zones:list')
  if (mayDo('GET', ...zones)) abilities.push('dns:read')
  if (['GET', 'POST', 'PUT', 'DELETE'].every((method) => mayDo(method, ...zones))) abilities.push('dns:edit')
  // A read-only key can change nothing, whatever its paths.
  const isReadOnly = rules.length > 0 && rules.every((rule) => rule.startsWith('GET /'))
  return {
    ...scopesIn(rules, {}),
    ...(abilities.length > 0 && { abilities }),
    ...(isReadOnly && { lacks: ['dns:edit'] }),
    ...addressesIn(listAt(body, 'allowedIPs') ?? []),
  }
}
