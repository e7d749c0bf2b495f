import type { Recording } from '../simulator/recording.ts'
import { isForm } from '../simulator/signatures.ts'

export const recording: Recording = {
  id: 'ibmcloud',
  keyType: 'api_key',
  call: {
    method: 'POST',
    path: '/identity/token',
    headers: {},
    accepts: (sent, { apiKey }) =>
      isForm(sent, { grant_type: 'urn:ibm:params:oauth:grant-type:apikey', apikey: apiKey }),
  },
  answers: [
    {
      name: 'valid',
      source: 'https://cloud.ibm.com/apidocs/iam-identity-token-api#gettoken-apikey, 2026-11',
      status: 200,
      body: {
        access_token: 'eyJ.{token}',
        refresh_token: 'not_supported',
        token_type: 'Bearer',
        expires_in: 3600,
        expiration: 1790000000,
        scope: 'ibm openid',
      },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'unknown',
      source: 'watson-developer-cloud/food-coach#28 (code and text), IBM/python-sdk-core test (the status)',
      status: 400,
      body: {
        errorCode: 'BXNIM0415E',
        errorMessage: 'Provided API key could not be found.',
        context: { requestId: '01234567', url: 'https://iam.cloud.ibm.com' },
      },
      verdict: { isValid: false, code: 'not_recognised' },
    },
    {
      name: 'other-code',
      source: 'IBM-Cloud/bluemix-go#87 (of another meaning)',
      status: 400,
      body: { errorCode: 'BXNIM0106E', errorMessage: 'Validation of property failed.' },
    },
    { name: 'rate-limited', madeUp: 'stands for any 429', status: 429, headers: { 'retry-after': '17' }, body: {} },
  ],
}
