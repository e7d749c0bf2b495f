import { textAt, valueAt } from '../engine/answer-body.ts'
import { bearer, invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'netlify',
  title: 'Netlify',
  docs: 'https://open-api.netlify.com/#tag/user/operation/getCurrentUser',
  keyPage: 'https://app.netlify.com/user/applications#personal-access-tokens',
  baseUrl: 'https://api.netlify.com/api/v1',
  keyTypes: {
    api_token: {
      label: 'personal access token',
      email: 'unused',
      publishedForm: { pattern: '^nfp_[A-Za-z0-9_]{36}$', source: 'netlify/open-api, 2026-10' },
    },
  },
  certainty: 'documented',
  remarks: 'No source shows the exact text of a 401, so the check uses its documented form.',
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  request: bearer('/user'),
  classify({ status, body }) {
    if (status === 200 && (textAt(body, 'id') || textAt(body, 'email'))) return valid()
    if (status === 401 && valueAt(body, 'code') === 401 && textAt(body, 'message').startsWith('Access Denied'))
      return invalid('not_recognised')
    return undetermined('unexpected_answer')
  },
})
