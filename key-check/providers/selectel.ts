import { listOf, valueAt } from '../engine/answer-body.ts'
import { provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'selectel',
  title: 'Selectel',
  docs: 'https://github.com/selectel/domains-go',
  keyPage: 'https://my.selectel.ru/profile/apikeys',
  baseUrl: 'https://api.selectel.ru/domains/v1',
  keyTypes: { api_key: { label: 'API key of the old DNS', email: 'unused' } },
  certainty: 'client code',
  remarks:
    'Only keys of the old DNS hosting; the new one uses tokens that expire within a day. No source shows how a wrong key differs from ' +
    'other rejections, so a rejection proves nothing.',
  firstRead: { grows: 'with all zones' },
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  request: ({ apiKey }) => ({ path: '/', headers: { 'x-token': apiKey } }),
  classify({ status, body }) {
    const domains = listOf(body, '', 'name')
    const isList = domains?.every((domain) => typeof valueAt(domain, 'id') === 'number')
    return status === 200 && isList ? valid() : undetermined('unexpected_answer')
  },
})
