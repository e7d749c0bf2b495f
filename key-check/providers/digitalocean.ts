import { textAt } from '../engine/answer-body.ts'
import { bearer, invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'digitalocean',
  title: 'DigitalOcean',
  docs: 'https://docs.digitalocean.com/reference/api/digitalocean/#tag/Account',
  keyPage: 'https://cloud.digitalocean.com/account/api/tokens',
  baseUrl: 'https://api.digitalocean.com',
  keyTypes: {
    api_token: {
      label: 'personal access token',
      email: 'unused',
      publishedForm: {
        pattern: '^dop_v1_[0-9a-f]{64}$',
        source: 'gitleaks/gitleaks cmd/generate/config/rules/digitalocean.go @5eda8a0',
      },
    },
  },
  certainty: 'documented',
  remarks: 'A 403 probably means a genuine token without the scope; the documentation suggests it.',
  request: bearer('/v2/account'),
  classify({ status, body }) {
    const code = textAt(body, 'id')
    const account = textAt(body, 'account.status')
    if (status === 200 && account === 'active') return valid()
    if (status === 200 && (account === 'warning' || account === 'locked')) return valid('account_restricted')
    if (status === 401 && code === 'unauthorized') return invalid('not_recognised')
    // Genuine, but without the scope account:read: a caveat, not an invalid key.
    if (status === 403 && code === 'forbidden') return valid('limited_permissions')
    return undetermined('unexpected_answer')
  },
})
