import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'vultr',
  keyType: 'api_key',
  call: { method: 'GET', path: '/v2/domains/example.com', headers: { authorization: 'Bearer {key}' } },
  asks: { zone: 'example.com' },
  answers: [
    {
      name: 'zone',
      source: 'vultr/govultr domains_test.go @9ee451b',
      status: 200,
      body: { domain: { domain: 'example.com', date_created: '2021-03-27T09:40:29+00:00', dns_sec: 'disabled' } },
      isFollowed: true,
    },
    {
      name: 'other-404',
      madeUp: 'no source shows the text for a domain that the account does not have',
      status: 404,
      body: { error: 'Invalid domain.', status: 404 },
    },
  ],
}
