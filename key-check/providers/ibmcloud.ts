import { accessTokenIn, listOf, textAt, valueAt, zonesIn } from '../engine/answers.ts'
import type { AbilityRead } from '../engine/provider.ts'
import { invalid, provider, retry, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'ibmcloud',
  title: 'IBM Cloud',
  docs: 'https://cloud.ibm.com/apidocs/iam-identity-token-api#gettoken-apikey',
  keyPage: 'https://cloud.ibm.com/iam/apikeys',
  baseUrl: 'https://iam.cloud.ibm.com',
  origins: { resources: 'https://resource-controller.cloud.ibm.com', cis: 'https://api.cis.cloud.ibm.com' },
  keyTypes: { api_key: { label: 'API key' } },
  // The source gives no time.
  newKeys: { settlesAfterMs: 2_000, source: 'IBM-Cloud/terraform-provider-ibm#3561' },
  certainty: 'logged',
  remarks:
    'The key is exchanged for a token, which lists one instance of Internet Services and its zones and is then discarded. An instance that the key ' +
    'may not see is missing from the list, so its absence proves nothing. Private zones of DNS Services are not read. The answer to a disabled or ' +
    'locked key is unknown, so it proves nothing. Keys of the classic infrastructure are not supported.',
  firstRead: { grows: 'never' },
  abilities: { isAlwaysRead: true, list: instancesRead() },
  permissions: { 'zones:list': 'internet-svcs.zones.read' },
  // The documented call has the key in the body.
  request: ({ apiKey }) => ({
    path: '/identity/token',
    headers: {},
    form: { grant_type: 'urn:ibm:params:oauth:grant-type:apikey', apikey: apiKey },
  }),
  classify({ status, body }) {
    const isToken = accessTokenIn(body) && textAt(body, 'token_type') === 'Bearer'
    if (status === 200 && isToken && typeof valueAt(body, 'expiration') === 'number') return valid()
    const isRefusal = status === 400 || status === 401
    // A new key is not known everywhere immediately, so a second answer has to confirm it.
    if (isRefusal && textAt(body, 'errorCode') === 'BXNIM0415E') return retry(invalid('not_recognised'))
    return undetermined('unexpected_answer')
  },
})

function tokenRead(origin: 'resources' | 'cis', path: string, find: AbilityRead['find']): AbilityRead {
  return {
    request: (_, __, { decided }) => ({
      origin,
      path,
      headers: { authorization: `Bearer ${accessTokenIn(decided.body)}` },
    }),
    find,
  }
}

/** It becomes part of a path. */
const instanceCrn = /^crn:v1:bluemix:public:internet-svcs:global:a\/[0-9a-f]{32}:[0-9a-f-]{36}::$/

/** Zones belong to an instance. Without one that the key sees, nothing is known. */
function instancesRead(): AbilityRead {
  return tokenRead('resources', '/v2/resource_instances?limit=20', ({ status, body }) => {
    const instances = status === 200 ? listOf(body, 'resources', 'crn') : undefined
    const crns = (instances ?? []).map((instance) => textAt(instance, 'crn')).filter((crn) => instanceCrn.test(crn))
    const [crn] = crns
    const isOnly = crns.length === 1 && !textAt(body, 'next_url')
    if (crn !== undefined) return { next: zonesRead(crn, isOnly) }
    return instances && {}
  })
}

function zonesRead(crn: string, isOnlyInstance: boolean): AbilityRead {
  return tokenRead('cis', `/v1/${encodeURIComponent(crn)}/zones?per_page=20`, ({ status, body }) => {
    const zones = status === 200 ? listOf(body, 'result', 'name') : undefined
    if (!zones || valueAt(body, 'success') !== true) return undefined
    const names = zones.map((zone) => textAt(zone, 'name'))
    const total = isOnlyInstance ? valueAt(body, 'result_info.total_count') : undefined
    return { capabilities: zonesIn(names, { total }) }
  })
}
