import { textAt } from '../engine/answer-body.ts'
import { bearer, invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'linode',
  title: 'Linode',
  docs: 'https://techdocs.akamai.com/linode-api/reference/get-profile',
  keyPage: 'https://cloud.linode.com/profile/tokens',
  baseUrl: 'https://api.linode.com',
  keyTypes: { api_token: { label: 'personal access token', email: 'unused' } },
  certainty: 'logged',
  remarks:
    'Rate limits are documented as counted by token (https://techdocs.akamai.com/linode-api/reference/rate-limits): a ' +
    '429 holds back that token alone.',
  request: bearer('/v4/profile'),
  classify({ status, body }) {
    const reason = textAt(body, 'errors.0.reason')
    if (status === 200 && textAt(body, 'username')) return valid()
    if (status === 401 && reason === 'Invalid Token') return invalid('not_recognised')
    if ((status === 401 || status === 403) && reason.startsWith('Your OAuth token is not authorized'))
      return valid('limited_permissions')
    // Counted by token for authenticated requests. A 429 that is not of this form may come from before the API.
    if (status === 429 && reason) return undetermined('key_rate_limited')
    return undetermined('unexpected_answer')
  },
})
