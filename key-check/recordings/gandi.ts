import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'gandi',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/@id/tokeninfo',
    headers: {
      authorization: 'Bearer {key}',
    },
  },
  answers: [
    {
      name: 'valid',
      source: 'kud/gandi-cli src/lib/api.test.ts @19f54ef (no scope)',
      status: 200,
      body: { pat_name: 'cli', scope: [], entities: [], expires_in: 9_900_000 },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'valid-dns',
      source: 'kud/gandi-cli src/lib/api.test.ts @19f54ef, with scopes of src/commands/doctor.tsx @02dc55f',
      status: 200,
      body: { pat_name: 'cli', scope: ['domain:view', 'domain:tech'], entities: [], expires_in: 9_900_000 },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'no-end',
      madeUp: 'a token without an end is in no source',
      status: 200,
      body: { pat_name: 'cli', scope: [], entities: [] },
    },
    {
      name: 'invalid',
      madeUp: 'no source shows the body of a refusal here; it only leads to the next call',
      isFollowed: true,
      status: 401,
      body: { code: 401, message: 'Refused', object: 'Refused', cause: 'Refused' },
    },
    {
      name: 'ambiguous',
      madeUp: 'no source shows the body of a refusal here; it only leads to the next call',
      isFollowed: true,
      status: 403,
      body: { code: 403, message: 'Refused', object: 'Refused', cause: 'Refused' },
    },
    {
      name: 'rate-limited',
      madeUp: 'stands for any 429',
      status: 429,
      headers: {
        'retry-after': '17',
      },
      body: {
        message: 'Too many requests',
      },
    },
  ],
}
