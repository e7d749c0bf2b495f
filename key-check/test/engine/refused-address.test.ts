import { expect, test } from 'vitest'
import { withRefusedAddress } from '../../engine/classify.ts'
import { type ProviderAnswer, undetermined, valid } from '../../engine/provider.ts'

function answerOf(text: string): ProviderAnswer {
  const traits = { keyType: 'api_token', shape: 'any' } as const
  return { kind: 'answer', ...traits, status: 403, headers: {}, body: undefined, text, nowMs: 0 }
}

test.each([
  ['Invalid request IP: 203.0.113.7', '203.0.113.7'],
  ['called from IP 203.0.113.7.', '203.0.113.7'],
  ['from location: 2001:DB8:0:0:0:0:0:7', '2001:db8::7'],
  ['from ::ffff:203.0.113.7, again 203.0.113.7', '203.0.113.7'],
  ['from 203.0.113.7, allowed are 198.51.100.1', undefined],
  ['at 12:30:45, version 1.2.3, code 9109', undefined],
  ['', undefined],
])('finds the one address in a refusal: %s', (text, refusedAddress) => {
  const found = refusedAddress === undefined ? {} : { refusedAddress }
  expect(withRefusedAddress(valid('ip_filtered'), answerOf(text))).toEqual({ ...valid('ip_filtered'), ...found })
  const refused = undetermined('address_refused')
  expect(withRefusedAddress(refused, answerOf(text))).toEqual({ ...refused, ...found })
  expect(withRefusedAddress(valid(), answerOf(text))).toEqual(valid())
})
