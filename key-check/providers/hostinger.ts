import { listOf, textAt } from '../engine/answer-body.ts'
import { bearer, invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'hostinger',
  title: 'Hostinger',
  docs: 'https://developers.hostinger.com/',
  keyPage: 'https://hpanel.hostinger.com/profile/api',
  baseUrl: 'https://developers.hostinger.com',
  keyTypes: { api_token: { label: 'API token', email: 'unused' } },
  certainty: 'client code',
  remarks: "The path comes from Hostinger's client; the rejection comes from a test of a client.",
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  request: bearer('/api/domains/v1/portfolio'),
  classify({ status, body }) {
    const message = textAt(body, 'message')
    if (status === 200 && listOf(body, '', 'domain')) return valid()
    if (status === 401 && message === 'Unauthenticated' && textAt(body, 'correlation_id'))
      return invalid('not_recognised')
    return undetermined('unexpected_answer')
  },
})
