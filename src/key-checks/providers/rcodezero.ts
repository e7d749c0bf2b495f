import { bearer, invalid, objectAt, provider, textAt, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'rcodezero',
  title: 'RcodeZero DNS',
  docs: 'https://my.rcodezero.at/openapi',
  keyPage: 'https://my.rcodezero.at/settings',
  baseUrl: 'https://my.rcodezero.at',
  keyTypes: { api_token: { label: 'API token', email: 'unused' } },
  certainty: 'guess',
  remarks: 'The path is a guess; the form of a refusal comes from a client.',
  request: bearer('/api/v2/zones?page_size=1'),
  classify({ status, body }) {
    const isRefusal = textAt(body, 'status') === 'failed'
    if (status === 200 && objectAt(body) && !isRefusal) return valid()
    if (status === 401 && isRefusal) return invalid('not_recognised')
    if (status === 403 && isRefusal) return valid('limited_permissions')
    return undetermined('unexpected_answer')
  },
})
