import type { Recording } from '../simulator/recording.ts'
import { isForm } from '../simulator/signatures.ts'

export const recording: Recording = {
  id: 'ultradns',
  keyType: 'api_key',
  parts: { username: 'api-user' },
  call: {
    method: 'POST',
    path: '/v2/authorization/token',
    headers: {},
    accepts: (sent, { apiKey, parts: { username = '' } }) =>
      isForm(sent, { grant_type: 'password', username, password: apiKey }),
  },
  answers: [
    {
      name: 'valid',
      source: 'octodns/octodns-ultra tests/test_provider_octodns_ultra.py @13604a2',
      status: 200,
      body: { 'token type': 'Bearer', refresh_token: 'abc', access_token: '{token}', expires_in: '3600' },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'wrong',
      source:
        'terra-farm/udnssdk udnssdk.go @03b3705 (the body), octodns/octodns-ultra tests/test_provider_octodns_ultra.py @13604a2 (status and code)',
      status: 401,
      body: {
        errorCode: 60001,
        errorMessage: 'invalid_grant:Invalid username & password combination.',
        error: 'invalid_grant',
        error_description: '60001: invalid_grant:Invalid username & password combination.',
      },
      verdict: { isValid: false, code: 'wrong_parts' },
    },
    {
      name: 'other-error',
      source: 'octodns/octodns-ultra tests/test_provider_octodns_ultra.py @13604a2 (of another meaning)',
      status: 400,
      body: { errorCode: 60004, errorMessage: 'Authorization Header required' },
    },
    { name: 'rate-limited', madeUp: 'stands for any 429', status: 429, headers: { 'retry-after': '17' }, body: {} },
  ],
}
