import { namecomApi, namecomCall, namecomParts } from '../simulator/namecom.ts'
import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'namecom',
  keyType: 'api_key',
  parts: namecomParts,
  call: namecomCall('/hello'),
  answers: [
    {
      name: 'valid',
      source: namecomApi,
      status: 200,
      body: {
        motd: 'Welcome to Core API from Name.com',
        serverName: 'nameapiserver',
        serverTime: '2025-01-01T12:15:00Z',
        username: 'example',
      },
      verdict: { isValid: true, code: 'valid' },
    },
    { name: 'unauthorized', source: namecomApi, status: 401, body: { message: 'Unauthorized' } },
    {
      name: 'denied',
      madeUp: 'logged at the test host, for version 4 and a wrong pair only',
      status: 403,
      body: { message: 'Permission Denied' },
    },
    {
      name: 'rate-limited',
      source: namecomApi,
      status: 429,
      headers: { 'x-ratelimit-reset': '1747668270', 'retry-after': '17' },
      body: { message: 'Rate Limit Exceeded' },
    },
  ],
}
