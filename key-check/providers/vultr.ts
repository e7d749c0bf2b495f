import { listAt, objectAt, textAt } from '../engine/answer-body.ts'
import { type ScopeTable, scopesIn } from '../engine/capabilities.ts'
import { bearer, invalid, provider, undetermined, valid } from '../engine/provider.ts'

/** https://docs.vultr.com/reference/vultr-cli/users/create: the permissions of the key's user. */
const permissions: ScopeTable = {
  dns: ['zones:list', 'dns:read', 'dns:edit'],
  manage_users: [],
  subscriptions_view: [],
  subscriptions: [],
  billing: [],
  support: [],
  provisioning: [],
  abuse: [],
  upgrade: [],
  firewall: [],
  alerts: [],
  objstore: [],
  loadbalancer: [],
}

export default provider({
  id: 'vultr',
  title: 'Vultr',
  docs: 'https://www.vultr.com/api/#tag/account',
  keyPage: 'https://my.vultr.com/settings/#settingsapi',
  baseUrl: 'https://api.vultr.com',
  keyTypes: { api_key: { label: 'API key', email: 'unused' } },
  certainty: 'logged',
  firstRead: { grows: 'never' },
  abilities: 'in the first answer',
  permissions: { 'zones:list': 'dns', 'dns:read': 'dns', 'dns:edit': 'dns' },
  request: bearer('/v2/account'),
  classify({ status, body }) {
    const error = textAt(body, 'error')
    if (status === 200 && objectAt(body, 'account'))
      return valid(undefined, {}, scopesIn(listAt(body, 'account.acls') ?? [], permissions))
    // The status is the same for a wrong key and for a valid key used from another address; only the text differs.
    if (status === 401 && error.startsWith('Unauthorized IP address')) return valid('ip_filtered')
    if (status === 401 && error.startsWith('Invalid API token')) return invalid('not_recognised')
    return undetermined('unexpected_answer')
  },
})
