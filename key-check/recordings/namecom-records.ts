import { namecomApi, namecomCall, namecomParts } from '../simulator/namecom.ts'
import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'namecom',
  keyType: 'api_key',
  parts: namecomParts,
  call: namecomCall('/domains/example.im/records?perPage=1&page=1'),
  asks: { zone: 'example.im' },
  answers: [
    {
      name: 'records',
      source: namecomApi,
      status: 200,
      body: {
        records: [
          {
            id: 12_345,
            domainName: 'example.im',
            host: 'www',
            fqdn: 'www.example.im.',
            type: 'A',
            answer: '192.0.2.1',
            ttl: 300,
          },
        ],
        nextPage: 2,
        lastPage: 4,
        from: 1,
        to: 1,
        totalCount: 4,
      },
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list', 'dns:read'] }, fitsPurpose: 'yes' },
    },
    {
      name: 'records-error',
      source: namecomApi,
      status: 404,
      body: { message: 'Not Found', details: 'The requested domain does not exist.' },
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'] }, fitsPurpose: 'yes' },
    },
  ],
}
