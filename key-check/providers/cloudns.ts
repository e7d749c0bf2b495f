import { textAt } from '../engine/answer-body.ts'
import { provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'cloudns',
  title: 'ClouDNS',
  docs: 'https://www.cloudns.net/wiki/article/45/',
  keyPage: 'https://www.cloudns.net/api-settings/',
  baseUrl: 'https://api.cloudns.net',
  keyTypes: {
    api_key: {
      label: 'API user',
      keyLabel: 'password of the API user',
      isChosen: true,
      email: 'unused',
      parts: {
        authId: { label: 'auth-id', isOptional: true },
        subAuthId: { label: 'sub-auth-id', isOptional: true, requiredWhen: { authId: '^$' } },
      },
    },
  },
  certainty: 'client code',
  remarks:
    'ClouDNS gives the same answer for a wrong password and for an address that is not on its list, so a rejection proves nothing.',
  callsPerSecondMax: 15,
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  request: ({ apiKey, parts: { authId, subAuthId = '' } }) => ({
    path: '/dns/login.json',
    headers: {},
    form: { ...(authId === undefined ? { 'sub-auth-id': subAuthId } : { 'auth-id': authId }), 'auth-password': apiKey },
  }),
  classify({ status, body }) {
    const result = textAt(body, 'status')
    const description = textAt(body, 'statusDescription')
    if (status === 200 && result === 'Success' && description.startsWith('Success login')) return valid()
    if (result === 'Failed' && description.startsWith('Invalid authentication')) return undetermined('refused')
    return undetermined('unexpected_answer')
  },
})
