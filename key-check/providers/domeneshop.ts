import { listOf } from '../engine/answers.ts'
import { basic, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'domeneshop',
  title: 'Domeneshop',
  docs: 'https://api.domeneshop.no/docs/#operation/getDomains',
  keyPage: 'https://domene.shop/admin?view=api',
  baseUrl: 'https://api.domeneshop.no/v0',
  keyTypes: { api_key: { label: 'API token', keyLabel: 'API secret', parts: { apiToken: { label: 'API token' } } } },
  certainty: 'client code',
  remarks: 'No source shows the body of a rejection, so a rejection proves nothing.',
  firstRead: { grows: 'with all zones' },
  request: ({ apiKey, parts: { apiToken = '' } }) => ({
    path: '/domains',
    headers: { authorization: basic(apiToken, apiKey) },
  }),
  classify({ status, body }) {
    return status === 200 && listOf(body, '', 'domain') ? valid() : undetermined('unexpected_answer')
  },
})
