import { textAt, valueAt } from '../engine/answer-body.ts'
import { invalid, provider, retry, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'ibmcloud',
  title: 'IBM Cloud',
  docs: 'https://cloud.ibm.com/apidocs/iam-identity-token-api#gettoken-apikey',
  keyPage: 'https://cloud.ibm.com/iam/apikeys',
  baseUrl: 'https://iam.cloud.ibm.com',
  keyTypes: { api_key: { label: 'API key', email: 'unused' } },
  // The source gives no time.
  newKeys: { settlesAfterMs: 2_000, source: 'IBM-Cloud/terraform-provider-ibm#3561' },
  certainty: 'logged',
  remarks:
    'The key is exchanged for a token, which is discarded. This proves that it is genuine and active. It does not show its permissions. The answer to a ' +
    'disabled or locked key is unknown, so it proves nothing. Keys of the classic infrastructure are not supported.',
  abilities: { unknown: 'No call is known that shows what this key can do.' },
  // The documented call has the key in the body.
  request: ({ apiKey }) => ({
    path: '/identity/token',
    headers: {},
    form: { grant_type: 'urn:ibm:params:oauth:grant-type:apikey', apikey: apiKey },
  }),
  classify({ status, body }) {
    const isToken = textAt(body, 'access_token') && textAt(body, 'token_type') === 'Bearer'
    if (status === 200 && isToken && typeof valueAt(body, 'expiration') === 'number') return valid()
    const isRefusal = status === 400 || status === 401
    // A new key is not known everywhere immediately, so a second answer has to confirm it.
    if (isRefusal && textAt(body, 'errorCode') === 'BXNIM0415E') return retry(invalid('not_recognised'))
    return undetermined('unexpected_answer')
  },
})
