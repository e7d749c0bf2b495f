import { listAt, textAt, valueAt } from '../engine/answers.ts'
import { bearer, bearerFor, invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'netlify',
  title: 'Netlify',
  docs: 'https://open-api.netlify.com/#tag/user/operation/getCurrentUser',
  keyPage: 'https://app.netlify.com/user/applications#personal-access-tokens',
  baseUrl: 'https://api.netlify.com/api/v1',
  keyTypes: {
    api_token: {
      label: 'personal access token',
      publishedForm: { pattern: '^nfp_[A-Za-z0-9_]{36}$', source: 'netlify/open-api, 2026-10' },
    },
  },
  certainty: 'documented',
  remarks: 'A token has no scopes: it can do what its user can do.',
  firstRead: { grows: 'never' },
  abilities: {
    // The list has no pages and contains records, so only one zone is read. Its id is the name (go-acme/lego providers/dns/netlify @a0e15c2).
    zone: {
      request: bearerFor((zone) => `/dns_zones/${zone.replaceAll('.', '_')}`),
      find({ status, body }, { zone }) {
        const isZone = textAt(body, 'name') === zone && listAt(body, 'dns_servers') !== undefined
        return status === 200 && isZone ? { hasZone: true } : undefined
      },
    },
  },
  request: bearer('/user'),
  classify({ status, body }) {
    if (status === 200 && textAt(body, 'id') && (textAt(body, 'email') || textAt(body, 'full_name'))) return valid()
    if (status === 401 && valueAt(body, 'code') === 401 && textAt(body, 'message').startsWith('Access Denied'))
      return invalid('not_recognised')
    return undetermined('unexpected_answer')
  },
})
