import { listOf } from '../engine/answers.ts'
import { bearer, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'rcodezero',
  title: 'RcodeZero DNS',
  docs: 'https://my.rcodezero.at/openapi',
  keyPage: 'https://my.rcodezero.at/settings',
  baseUrl: 'https://my.rcodezero.at',
  keyTypes: { api_token: { label: 'API token' } },
  certainty: 'documented',
  remarks: 'A token limited to ACME is rejected like a wrong one, so a rejection proves nothing.',
  firstRead: { grows: 'never' },
  request: bearer('/api/v2/zones?page_size=1'),
  classify({ status, body }) {
    if (status === 200 && (listOf(body, 'data', 'domain') ?? listOf(body, '', 'domain'))) return valid()
    return undetermined('unexpected_answer')
  },
})
