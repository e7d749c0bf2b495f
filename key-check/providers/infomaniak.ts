import { textAt, valueAt } from '../engine/answers.ts'
import { bearer, bearerFor, type ProviderAnswer, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'infomaniak',
  title: 'Infomaniak',
  docs: 'https://developer.infomaniak.com/docs/api',
  keyPage: 'https://manager.infomaniak.com/v3/ng/profile/user/token/list',
  baseUrl: 'https://api.infomaniak.com',
  keyTypes: { api_token: { label: 'API token' } },
  certainty: 'client code',
  remarks:
    'Asks for a zone that nobody has, because tokens for DNS cannot list domains. No source shows the code of a missing scope, so a rejection ' +
    'proves nothing.',
  firstRead: { needs: 'dns:read', grows: 'never' },
  abilities: {
    zone: {
      request: bearerFor((zone) => `/2/zones/${zone}/exists`),
      find(answer) {
        const hasZone = existsIn(answer)
        return hasZone === undefined ? undefined : { hasZone }
      },
    },
  },
  permissions: { 'zones:list': 'domain:read', 'dns:read': 'dns:read', 'dns:edit': 'dns:write' },
  // The zone does not exist, and only a token with this scope learns that.
  successStatus: 404,
  request: bearer('/2/zones/no-such-zone.example/exists'),
  classify(answer) {
    if (existsIn(answer) === undefined) return undetermined('unexpected_answer')
    return valid(undefined, {}, { abilities: ['dns:read'] })
  },
})

/** Whether the token reaches the zone; undefined if the answer does not say so. */
function existsIn({ status, body }: ProviderAnswer): boolean | undefined {
  const result = textAt(body, 'result')
  const data = valueAt(body, 'data')
  if (status === 200 && result === 'success' && typeof data === 'boolean') return data
  const isMissing = result === 'error' && textAt(body, 'error.code') === 'object_not_found'
  return status === 404 && isMissing ? false : undefined
}
