import { invalid, objectAt, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'gcore',
  title: 'Gcore',
  docs: 'https://gcore.com/docs/developer-tools/rest-api/authentication',
  keyPage: 'https://accounts.gcore.com/profile/api-tokens',
  baseUrl: 'https://api.gcore.com',
  keyTypes: { api_token: { label: 'permanent API token', email: 'unused' } },
  certainty: 'documented',
  remarks: 'The texts of refusals were not found. A 403 may mean a wrong token or a limited one: it proves nothing.',
  // A shell takes what follows the $ of an unquoted token for a variable, and digits are all that is left.
  shapeOf: (apiKey) => (/^\d+\$?$/.test(apiKey) ? 'cut' : 'whole'),
  request: ({ apiKey }) => ({ path: '/iam/users/me', headers: { authorization: `APIKey ${apiKey}` } }),
  classify({ status, body, shape }) {
    if (status === 200 && objectAt(body)) return valid()
    if (status === 401 && objectAt(body))
      return invalid('not_recognised', shape === 'cut' ? { hint: 'looks_mistyped' } : {})
    return undetermined('unexpected_answer')
  },
})
