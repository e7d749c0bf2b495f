import { expect, test } from 'vitest'
import { credentialGuard, redactedBody, redactedHeaders, redactedPath } from '../../cli/providers/redact.ts'
import { Secret } from '../../src/platform/secret.ts'

const apiKey = 'correcthorsebatterystaple'
const guard = credentialGuard([
  {
    keyType: 'api_token',
    apiKey: new Secret(apiKey),
    parts: { region: new Secret('eu'), zone: new Secret('lovelace') },
  },
])

function shown(body: unknown, status = 400): unknown {
  const answer = { kind: 'answer', keyType: 'api_token', shape: 'any', nowMs: 0, headers: {}, text: 'x' } as const
  return redactedBody({ ...answer, status, body }, guard)
}

test('hides a plain text that contains a piece of a key', () => {
  expect(shown({ message: 'No rights for horsebat here' })).toEqual({ message: '<string 27>' })
  expect(shown({ message: 'It ends in aple' })).toEqual({ message: '<string 15>' })
  expect(shown({ error: 'No rights in eu' })).toEqual({ error: '<string 15>' })
  expect(shown({ message: 'No rights here' })).toEqual({ message: 'No rights here' })
})

test('hides names of members and path segments that contain a piece of a key', () => {
  expect(shown({ batterystaple: 1, lovelace: 2, eu: 3 })).toEqual({
    '<name 1>': '<number>',
    '<name 2>': '<number>',
    '<name 3>': '<number>',
  })
  expect(redactedPath('/v2/lovelace/zones?q=1&name=ada&lovelace=2', guard)).toBe(
    '/v2/{id}/zones?q=1&name={value}&{name}=2',
  )
})

test('keeps text only in errors, because text elsewhere may be a name', () => {
  expect(shown({ message: 'Main zone', title: 'Home', code: 3 }, 200)).toEqual({
    message: '<string 9>',
    title: '<string 4>',
    code: 3,
  })
})

test('keeps only known parts of headers', () => {
  const headers = {
    'content-type': 'Application/JSON; charset=utf-8',
    'www-authenticate': 'Digest realm="ada@example.net"',
    'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT',
    date: 'lovelace 5',
    'set-cookie': 'a=b',
  }
  expect(redactedHeaders(headers)).toEqual({
    'content-type': 'application/json',
    'www-authenticate': 'Digest',
    'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT',
    date: '<string 10>',
  })
})
