import { textAt, valueAt } from '../engine/answer-body.ts'
import { type Capabilities, limitedByOwner, type ScopeTable, scopesIn } from '../engine/capabilities.ts'
import { bearer, invalid, type ProviderAnswer, provider, undetermined, valid } from '../engine/provider.ts'

const others = [
  'account',
  'child_account',
  'databases',
  'events',
  'firewall',
  'images',
  'ips',
  'linodes',
  'lke',
  'longview',
  'maintenance',
  'nodebalancers',
  'object_storage',
  'stackscripts',
  'volumes',
  'vpc',
]

/** https://techdocs.akamai.com/linode-api/reference/get-started, "OAuth scopes". */
const scopes: ScopeTable = {
  '*': ['zones:list', 'dns:read', 'dns:edit'],
  'domains:read_only': ['zones:list', 'dns:read'],
  'domains:read_write': ['zones:list', 'dns:read', 'dns:edit'],
  ...Object.fromEntries(
    others.flatMap((name) => [`${name}:read_only`, `${name}:read_write`]).map((word) => [word, []]),
  ),
}

export default provider({
  id: 'linode',
  title: 'Linode',
  docs: 'https://techdocs.akamai.com/linode-api/reference/get-profile',
  keyPage: 'https://cloud.linode.com/profile/tokens',
  baseUrl: 'https://api.linode.com',
  keyTypes: { api_token: { label: 'personal access token', email: 'unused' } },
  certainty: 'logged',
  remarks:
    'Rate limits are documented per token (https://techdocs.akamai.com/linode-api/reference/rate-limits), so a ' +
    '429 holds back that token only.',
  firstRead: { grows: 'never' },
  abilities: 'in the first answer',
  permissions: {
    'zones:list': 'domains:read_only',
    'dns:read': 'domains:read_only',
    'dns:edit': 'domains:read_write',
  },
  request: bearer('/v4/profile'),
  classify(answer) {
    const { status, body } = answer
    const reason = textAt(body, 'errors.0.reason')
    if (status === 200 && textAt(body, 'username')) return valid(undefined, {}, capabilitiesIn(answer))
    if (status === 401 && reason === 'Invalid Token') return invalid('not_recognised')
    if ((status === 401 || status === 403) && reason.startsWith('Your OAuth token is not authorized'))
      return valid('limited_permissions', {}, capabilitiesIn(answer))
    // Counted per token for authenticated requests. A 429 in another form may come from in front of the API.
    if (status === 429 && reason) return undetermined('key_rate_limited')
    return undetermined('unexpected_answer')
  },
})

/** A user with grants has `restricted: true`. Its tokens may do no more than the grants allow, whatever their scopes. */
function capabilitiesIn({ headers, body }: ProviderAnswer): Capabilities {
  const found = scopesIn((headers['x-oauth-scopes'] ?? '').split(/[\s,]+/), scopes)
  return valueAt(body, 'restricted') === false ? found : limitedByOwner(found)
}
