import { objectAt, textAt, valueAt } from '../engine/answer-body.ts'
import { bearer, invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'vercel',
  title: 'Vercel',
  docs: 'https://vercel.com/docs/rest-api/user/get-the-user',
  keyPage: 'https://vercel.com/account/settings/tokens',
  baseUrl: 'https://api.vercel.com',
  keyTypes: { api_token: { label: 'access token', email: 'unused' } },
  certainty: 'logged',
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  request: bearer('/v2/user'),
  classify({ status, body }) {
    if (status === 200 && objectAt(body, 'user')) return valid()
    if (status !== 403 || textAt(body, 'error.code') !== 'forbidden') return undetermined('unexpected_answer')
    // Without the flag it is a genuine team token that may not read the user.
    return valueAt(body, 'error.invalidToken') === true ? invalid('not_recognised') : valid('limited_permissions')
  },
})
