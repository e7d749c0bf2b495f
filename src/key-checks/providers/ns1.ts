import { invalid, listAt, provider, textAt, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'ns1',
  title: 'NS1 Connect',
  docs: 'https://developer.ibm.com/apis/catalog/ns1--ibm-ns1-connect-api/api/API--ns1--ibm-ns1-connect-api',
  keyPage: 'https://my.nsone.net/#/account/settings/keys',
  baseUrl: 'https://api.nsone.net',
  keyTypes: { api_key: { label: 'API key', email: 'unused' } },
  certainty: 'client code',
  remarks: 'The text of a 401 is a guess, so its form decides.',
  request: ({ apiKey }) => ({ path: '/v1/zones', headers: { 'x-nsone-key': apiKey } }),
  classify({ status, body }) {
    const message = textAt(body, 'message')
    if (status === 200 && listAt(body)) return valid()
    if (status === 401 && message) return invalid('not_recognised')
    if (status === 403 && message) return valid('limited_permissions')
    return undetermined('unexpected_answer')
  },
})
