import { listOf, textAt } from '../engine/answers.ts'
import { basic, invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'simply',
  title: 'Simply.com',
  docs: 'https://www.simply.com/en/docs/api/',
  keyPage: 'https://www.simply.com/en/controlpanel/account/api/',
  baseUrl: 'https://api.simply.com/2',
  keyTypes: {
    api_key: {
      label: 'API key',
      parts: { accountName: { label: 'account name', pattern: '^(UE|S)[0-9]+$', example: 'UE123456' } },
    },
  },
  certainty: 'client code',
  remarks: 'Simply.com does not say whether the account name or the key is wrong.',
  firstRead: { grows: 'with all zones' },
  request: ({ apiKey, parts: { accountName = '' } }) => ({
    path: '/my/products/',
    headers: { authorization: basic(accountName, apiKey) },
  }),
  classify({ status, body }) {
    if (status === 200 && listOf(body, 'products', 'object')) return valid()
    // Clients expect it with status 400 or 401; two of them read this text as a wrong pair.
    const isRefusal = status === 400 || status === 401
    if (isRefusal && textAt(body, 'error') === 'Invalid account authorization') return invalid('wrong_parts')
    return undetermined('unexpected_answer')
  },
})
