import { textAt, valueAt } from '../engine/answer-body.ts'
import { invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'ultradns',
  title: 'UltraDNS',
  docs: 'https://ultra-portalstatic.ultradns.com/static/docs/REST-API_User_Guide.pdf',
  keyPage: 'https://portal.ultradns.com/',
  baseUrl: 'https://api.ultradns.com',
  keyTypes: {
    api_key: {
      label: 'API user',
      keyLabel: 'password of the API user',
      isChosen: true,
      email: 'unused',
      parts: { username: { label: 'user name', isChosen: true } },
    },
  },
  certainty: 'client code',
  remarks:
    'The password is exchanged for a token, which is discarded and expires within an hour. It does not show permissions on zones. UltraDNS does not ' +
    'say which of the two is wrong.',
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  // The documented call has the password in the body.
  request: ({ apiKey, parts: { username = '' } }) => ({
    path: '/v2/authorization/token',
    headers: {},
    form: { grant_type: 'password', username, password: apiKey },
  }),
  classify({ status, body }) {
    const has = (...names: string[]) => names.some((name) => textAt(body, name))
    const isToken = has('accessToken', 'access_token') && has('refreshToken', 'refresh_token')
    if (status === 200 && isToken && has('expiresIn', 'expires_in')) return valid()
    const isPair = textAt(body, 'errorMessage').startsWith('invalid_grant:Invalid username & password')
    if ((status === 400 || status === 401) && valueAt(body, 'errorCode') === 60_001 && isPair)
      return invalid('wrong_parts')
    return undetermined('unexpected_answer')
  },
})
