import { expect, test } from 'vitest'
import { describeClient } from '../../src/sign-in/sessions/client.ts'

test.each([
  ['192.0.2.7', 'curl/8', { address: '192.0.2.7', networks: ['192.0.2.7', '192.0.2.0/24'], userAgent: 'curl/8' }],
  [
    '2001:db8::7',
    ' \u0007 ',
    {
      address: '2001:db8::7',
      networks: ['2001:db8::/64', '2001:db8::/56', '2001:db8::/48'],
      userAgent: '?',
    },
  ],
  ['192.0.2.7', undefined, { address: '192.0.2.7', networks: ['192.0.2.7', '192.0.2.0/24'] }],
])('describes a client at %j with the user agent %j', (address, userAgent, described) => {
  expect(describeClient({ address, userAgent, requestId: 'r' })).toEqual({ ...described, requestId: 'r' })
})

test('clients behind an untrusted proxy have no network', () => {
  expect(describeClient({ address: '10.0.0.1', isShared: true, requestId: 'r' })).toEqual({
    address: '10.0.0.1',
    networks: [],
    requestId: 'r',
  })
})
