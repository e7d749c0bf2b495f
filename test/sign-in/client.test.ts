import { expect, test } from 'vitest'
import { describeClient } from '../../src/sign-in/sessions/client.ts'

test.each([
  ['192.0.2.7', 'curl/8', { address: '192.0.2.7', network: '192.0.2.7', userAgent: 'curl/8' }],
  ['2001:db8::7', undefined, { address: '2001:db8::7', network: '2001:db8::/64' }],
  ['<script>', '', { address: 'unknown', network: 'unknown' }],
  ['x'.repeat(10_000), ' \u0007 ', { address: 'unknown', network: 'unknown', userAgent: '?' }],
])('a client at %j that calls itself %j', (address, userAgent, described) => {
  expect(describeClient({ address, userAgent, requestId: 'r' })).toEqual({ ...described, requestId: 'r' })
})
