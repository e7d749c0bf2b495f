import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'

function readWith(parameters: object): unknown {
  const entry = {
    ...{ issuer: 'https://idp.example/', algorithms: ['RS256'], audience: 'api' },
    console: { clientId: 'muster', parameters },
  }
  return readConfig({ MUSTER_ISSUERS: JSON.stringify([entry]) })
}

/**
 * Parameters that protect the console’s sign-in: RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 9101 §5, and OpenID Connect Core
 * §3.1.2.1.
 */
const own = [
  ...['client_id', 'client_secret', 'redirect_uri', 'response_type', 'response_mode', 'scope', 'state', 'nonce'],
  ...['code_challenge', 'code_challenge_method', 'request', 'request_uri', 'max_age', 'acr_values'],
]

test.each(own)('rejects an entry that sets the console’s own parameter %s', (name) => {
  const fault = `"parameters" must not contain parameters that the console sets itself: ${own.join(', ')}.`
  expect(() => readWith({ [name]: 'x' })).toThrow(fault)
})

test('rejects a parameter that is not a string, and names the member', () => {
  expect(() => readWith({ audience: true })).toThrow('"parameters" must be an object of strings.')
})
