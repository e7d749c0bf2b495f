import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'transip',
  keyType: 'api_token',
  call: { method: 'GET', path: '/v6/domains?page=1&pageSize=25', headers: { authorization: 'Bearer {key}' } },
  asks: {},
  answers: [
    {
      name: 'domains',
      source: 'transip/gotransip domain/repository_test.go @f98077f',
      status: 200,
      body: {
        domains: [
          {
            name: 'example.com',
            authCode: 'transfer-code',
            isTransferLocked: false,
            registrationDate: '2016-01-01',
            renewalDate: '2020-01-01',
            isWhitelabel: false,
            cancellationDate: '2020-01-01 12:00:00',
            cancellationStatus: 'signed',
            isDnsOnly: false,
            tags: ['customTag', 'anotherTag'],
          },
        ],
      },
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: { abilities: ['zones:list', 'dns:read'], zonesVisible: 1, zones: ['example.com'] },
      },
    },
    { name: 'other-403', madeUp: 'stands for any other answer', status: 403, body: { error: 'Something else.' } },
  ],
}
