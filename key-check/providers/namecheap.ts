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
        username: { label: 'user name' },
        clientIp: {
          label: 'address of this service that is on the list of the account',
          pattern: '^\\d{1,3}(\\.\\d{1,3}){3}$',
          example: '203.0.113.7',
        },
      },
    },
  },
  certainty: 'logged',
  remarks:
    'The address from which the service calls must be on the list of the account; where it is not, Namecheap does not look at the key. One ' +
    'answer stands for a wrong key and for an account without API access.',
  // Documented: 50 calls a minute, 700 an hour.
  callsPerSecondMax: 0.7,
  answersXml: true,
  // A query would be written to logs on the way; Namecheap takes the same as a form.
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
