import { limitedByOwner, listAt, type ScopeTable, scopesIn, servicesIn, textAt } from '../engine/answers.ts'
import { invalid, provider, undetermined, valid } from '../engine/provider.ts'

/** https://www.fastly.com/documentation/reference/api/auth-tokens/, "Scopes". */
const scopes: ScopeTable = {
  global: ['cdn:read', 'cdn:edit', 'cdn:purge', 'cdn:purge_all'],
  'global:read': ['cdn:read'],
  purge_select: ['cdn:purge'],
  purge_all: ['cdn:purge_all'],
}

export default provider({
  id: 'fastly',
  title: 'Fastly',
  docs: 'https://www.fastly.com/documentation/reference/api/auth-tokens/user/',
  keyPage: 'https://manage.fastly.com/account/personal/tokens',
  baseUrl: 'https://api.fastly.com',
  keyTypes: { api_token: { label: 'API token' } },
  certainty: 'logged',
  remarks: 'The answer for a valid token was recorded. The texts of rejections come from test doubles of four clients.',
  firstRead: { grows: 'never' },
  abilities: 'in the first answer',
  permissions: {
    'cdn:read': 'global:read',
    'cdn:edit': 'global',
    'cdn:purge': 'purge_select',
    'cdn:purge_all': 'purge_all',
  },
  request: ({ apiKey }) => ({ path: '/tokens/self', headers: { 'fastly-key': apiKey } }),
  classify({ status, body }) {
    const message = textAt(body, 'msg')
    // Any token may read itself, whatever its scope.
    if (status === 200 && textAt(body, 'id')) {
      const expiresOn = textAt(body, 'expires_at')
      // A scope never allows more than the token's user may do.
      return valid(undefined, expiresOn ? { expiresOn } : {}, {
        ...limitedByOwner(scopesIn(textAt(body, 'scope').split(' '), scopes)),
        ...servicesIn(listAt(body, 'services') ?? []),
      })
    }
    const expiredOn = /\bexpired at (\d{4}-\d{2}-\d{2}T[\d:.]+Z)/.exec(message)?.[1]
    if (status === 401 && expiredOn) return invalid('expired', { expiresOn: expiredOn })
    const isRejected = message.startsWith('Provided credentials are missing or invalid')
    if ((status === 401 || status === 403) && isRejected) return invalid('not_recognised')
    return undetermined('unexpected_answer')
  },
})
