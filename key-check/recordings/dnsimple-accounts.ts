import type { Recording } from '../simulator/recording.ts'

/** The accounts of a user token. */
export const recording: Recording = {
  id: 'dnsimple',
  keyType: 'api_token',
  call: { method: 'GET', path: '/v2/accounts', headers: { authorization: 'Bearer {key}' } },
  asks: {},
  answers: [
    {
      name: 'valid-user',
      source: 'dnsimple/dnsimple-developer fixtures/v2/api/listAccounts/success-user.http @279df2c',
      isFollowed: true,
      status: 200,
      body: {
        data: [
          { id: 123, email: 'john@example.com', plan_identifier: 'dnsimple-personal' },
          { id: 456, email: 'ops@company.com', plan_identifier: 'dnsimple-teams' },
        ],
      },
    },
    {
      name: 'no-accounts',
      madeUp: 'a user without an account shows nothing',
      status: 200,
      body: { data: [] },
    },
  ],
}
