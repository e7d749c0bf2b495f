import { namecomApi, namecomCall, namecomParts } from '../simulator/namecom.ts'
import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'namecom',
  keyType: 'api_key',
  parts: namecomParts,
  call: namecomCall('/domains?perPage=1&page=1&domainName=example.im'),
  asks: { zone: 'example.im' },
  answers: [
    {
      name: 'valid',
      isFollowed: true,
      source: namecomApi,
      status: 200,
      body: {
        domains: [{ domainName: 'example.im', locked: true, autorenewEnabled: true }],
        from: 1,
        to: 1,
        totalCount: 1,
      },
    },
    {
      name: 'no-domain',
      source: namecomApi,
      status: 200,
      body: { domains: [], from: 0, to: 0, totalCount: 0 },
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'] }, fitsPurpose: 'no' },
    },
    { name: 'domain-unauthorized', source: namecomApi, status: 401, body: { message: 'Unauthorized' } },
  ],
}
