import { invalid, listAt, provider, textAt, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'arvancloud',
  title: 'ArvanCloud',
  docs: 'https://www.arvancloud.ir/api/cdn/4.0',
  keyPage: 'https://panel.arvancloud.ir/profile/machine-user',
  baseUrl: 'https://napi.arvancloud.ir',
  keyTypes: { api_key: { label: 'API key', email: 'unused' } },
  certainty: 'guess',
  remarks: 'The answers are guesses; path and header come from a client.',
  request: ({ apiKey }) => ({ path: '/cdn/4.0/domains?per_page=1', headers: { authorization: `Apikey ${apiKey}` } }),
  classify({ status, body }) {
    const message = textAt(body, 'message')
    if (status === 200 && listAt(body, 'data')) return valid()
    if (status === 401 && message.startsWith('Unauthenticated')) return invalid('not_recognised')
    if (status === 403 && message) return valid('limited_permissions')
    return undetermined('unexpected_answer')
  },
})
