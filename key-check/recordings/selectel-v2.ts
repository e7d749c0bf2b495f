import type { Recording } from '../simulator/recording.ts'
import { selectelParts } from '../simulator/selectel.ts'

const { username, accountId, projectId } = selectelParts

export const recording: Recording = {
  id: 'selectel',
  keyType: 'api_token',
  parts: selectelParts,
  call: {
    method: 'POST',
    path: '/@identity/auth/tokens',
    headers: {},
    body: {
      auth: {
        identity: {
          methods: ['password'],
          password: { user: { name: username, domain: { name: accountId }, password: '{key}' } },
        },
        scope: { project: { id: projectId } },
      },
    },
  },
  answers: [
    {
      name: 'valid',
      source:
        'https://docs.openstack.org/api-ref/identity/v3/, 2026-11 (the form), acmesh-official/acme.sh dnsapi/dns_selectel.sh @d60c75b (the header)',
      status: 201,
      headers: { 'x-subject-token': '{token}' },
      body: {
        token: {
          methods: ['password'],
          user: { id: '1f0e2d3c', name: username, domain: { id: 'a1b2', name: accountId } },
          project: { id: projectId, name: 'dns', domain: { id: 'a1b2', name: accountId } },
          roles: [{ id: 'c3d4', name: 'member' }],
          issued_at: '2026-11-27T08:00:00.000000Z',
          expires_at: '2026-11-28T08:00:00.000000Z',
        },
      },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'no-token',
      madeUp: 'an answer without the header has no token',
      status: 201,
      body: { token: { methods: ['password'] } },
    },
    {
      name: 'wrong-password',
      madeUp: 'the text of OpenStack; no source shows the one of Selectel',
      status: 401,
      body: {
        error: { code: 401, message: 'The request you have made requires authentication.', title: 'Unauthorized' },
      },
    },
    {
      name: 'token-rate-limited',
      madeUp: 'stands for any 429',
      status: 429,
      headers: { 'retry-after': '17' },
      body: {},
    },
  ],
}
