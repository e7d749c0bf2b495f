import { textAt } from '../engine/answer-body.ts'
import { invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'namecheap',
  title: 'Namecheap',
  docs: 'https://www.namecheap.com/support/api/methods/domains/get-list/',
  keyPage: 'https://ap.www.namecheap.com/settings/tools/apiaccess/',
  baseUrl: 'https://api.namecheap.com',
  keyTypes: {
    api_key: {
      label: 'API key',
      email: 'unused',
      parts: {
        username: { label: 'user name', isChosen: true },
        clientIp: {
          label: "address of this service on the account's allowlist",
          pattern: '^\\d{1,3}(\\.\\d{1,3}){3}$',
          example: '203.0.113.7',
          isOutgoingAddress: true,
        },
      },
    },
  },
  certainty: 'logged',
  remarks:
    "The address of this service must be on the account's allowlist; otherwise Namecheap does not check the key. A wrong key and an " +
    'account without API access get the same answer.',
  // Documented: 50 calls a minute, 700 an hour.
  callsPerSecondMax: 0.7,
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  answersXml: true,
  // Sent as a form, because proxies log queries.
  request: ({ apiKey, parts: { username = '', clientIp = '' } }) => ({
    path: '/xml.response',
    headers: { accept: 'application/xml' },
    form: {
      ApiUser: username,
      ApiKey: apiKey,
      UserName: username,
      ClientIp: clientIp,
      Command: 'namecheap.domains.getList',
      PageSize: '10',
    },
  }),
  classify({ status, body }) {
    if (status !== 200) return undetermined('unexpected_answer')
    const result = textAt(body, 'ApiResponse.@Status')
    const isList = textAt(body, 'ApiResponse.CommandResponse.@Type') === 'namecheap.domains.getList'
    if (result === 'OK' && isList) return valid()
    const number = result === 'ERROR' ? textAt(body, 'ApiResponse.Errors.Error.@Number') : ''
    if (number === '1011102') return invalid('unknown_part', { part: 'key' })
    if (number === '1011150') return undetermined('address_refused')
    return undetermined('unexpected_answer')
  },
})
