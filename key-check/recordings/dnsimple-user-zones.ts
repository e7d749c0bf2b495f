import type { Recording } from '../simulator/recording.ts'

/** The zones in the first of several accounts. */
export const recording: Recording = {
  id: 'dnsimple',
  keyType: 'api_token',
  call: { method: 'GET', path: '/v2/123/zones?per_page=50', headers: { authorization: 'Bearer {key}' } },
  asks: {},
  answers: [
    {
      name: 'valid-user',
      source: 'dnsimple/dnsimple-developer fixtures/v2/api/listZones/success.http @a1e9b86',
      status: 200,
      body: {
        data: [{ id: 1, account_id: 123, name: 'example-alpha.com', reverse: false }],
        pagination: { current_page: 1, per_page: 50, total_entries: 1, total_pages: 1 },
      },
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: { abilities: ['zones:list'], zones: ['example-alpha.com'], moreZones: true },
        advice: {
          text: 'It reaches every account of its user. A token of one account with few permissions is safer.',
          page: 'https://support.dnsimple.com/articles/api-access-token/',
        },
      },
    },
  ],
}
