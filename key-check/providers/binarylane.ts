import { objectAt } from '../engine/answers.ts'
import { bearer, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'binarylane',
  title: 'BinaryLane',
  docs: 'https://api.binarylane.com.au/reference/',
  keyPage: 'https://home.binarylane.com.au/api-info',
  baseUrl: 'https://api.binarylane.com.au',
  keyTypes: { api_token: { label: 'API token' } },
  certainty: 'client code',
  remarks: "The path comes from BinaryLane's client. No source documents a rejection, so a rejection proves nothing.",
  firstRead: { grows: 'never' },
  request: bearer('/v2/account'),
  classify({ status, body }) {
    if (status === 200 && objectAt(body, 'account')) return valid()
    return undetermined('unexpected_answer')
  },
})
