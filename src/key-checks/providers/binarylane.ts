import { objectAt, textAt, valueAt } from '../engine/answer-body.ts'
import { bearer, invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'binarylane',
  title: 'BinaryLane',
  docs: 'https://api.binarylane.com.au/reference/',
  keyPage: 'https://home.binarylane.com.au/api-info',
  baseUrl: 'https://api.binarylane.com.au',
  keyTypes: { api_token: { label: 'API token', email: 'unused' } },
  certainty: 'guess',
  remarks: 'The path is a guess; the form of a refusal (RFC 9457) comes from a test of a client.',
  request: bearer('/v2/account'),
  classify({ status, body }) {
    const stated = valueAt(body, 'status')
    if (status === 200 && objectAt(body, 'account')) return valid()
    if (status === 401 && stated === 401 && textAt(body, 'type').startsWith('https://tools.ietf.org/html/rfc7235'))
      return invalid('not_recognised')
    return undetermined('unexpected_answer')
  },
})
