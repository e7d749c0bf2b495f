import { listAt, textAt } from '../engine/answer-body.ts'
import { bearer, invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'hetzner',
  title: 'Hetzner Cloud',
  docs: 'https://docs.hetzner.cloud/reference/cloud#zones',
  keyPage: 'https://console.hetzner.cloud/projects',
  baseUrl: 'https://api.hetzner.cloud',
  keyTypes: { api_token: { label: 'API token', email: 'unused' } },
  certainty: 'documented',
  remarks: 'Reads zones, because Hetzner DNS has moved to the Cloud API. Tokens of the old DNS API are not supported.',
  request: bearer('/v1/zones?per_page=1'),
  classify({ status, body }) {
    const code = textAt(body, 'error.code')
    if (status === 200 && listAt(body, 'zones')) return valid()
    if (status === 401 && code === 'unauthorized') return invalid('not_recognised')
    if (status === 403 && (code === 'forbidden' || code === 'token_readonly')) return valid('limited_permissions')
    return undetermined('unexpected_answer')
  },
})
