import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { ConfigError } from '../../src/platform/settings.ts'

const passkeys = (env: Readonly<Record<string, string>>) => readConfig(env).issuer.passkeys

describe('the domain of passkeys', () => {
  test('is the host of the public address by default', () => {
    expect(passkeys({})).toEqual({ rpId: 'localhost', origins: ['http://localhost:4600'] })
    expect(passkeys({ MUSTER_PUBLIC_URL: 'https://id.example.com' })).toEqual({
      rpId: 'id.example.com',
      origins: ['https://id.example.com'],
    })
    expect(
      passkeys({
        MUSTER_PUBLIC_URL: 'https://id.example.com',
        MUSTER_WEBAUTHN_RP_ID: 'example.com',
        MUSTER_WEBAUTHN_ORIGINS: 'https://app.example.com, http://localhost:5173',
      }),
    ).toEqual({ rpId: 'example.com', origins: ['https://app.example.com', 'http://localhost:5173'] })
  })

  test('is undefined if browsers allow no passkeys at the public address', () => {
    for (const MUSTER_PUBLIC_URL of [
      'http://id.example.com',
      'http://127.0.0.1:4600',
      'https://192.0.2.1',
      'https://[::1]',
    ])
      expect(passkeys({ MUSTER_PUBLIC_URL }), MUSTER_PUBLIC_URL).toBeUndefined()
  })
})

test.each([
  ['MUSTER_WEBAUTHN_RP_ID', 'https://example.com'],
  ['MUSTER_WEBAUTHN_RP_ID', 'Example.com'],
  ['MUSTER_WEBAUTHN_RP_ID', '192.0.2.1'],
  ['MUSTER_WEBAUTHN_ORIGINS', 'https://app.example.com/'],
  ['MUSTER_WEBAUTHN_ORIGINS', 'https://App.example.com'],
  ['MUSTER_WEBAUTHN_ORIGINS', 'https://app.example.com:443'],
  ['MUSTER_WEBAUTHN_ORIGINS', 'https://*.example.com'],
  ['MUSTER_WEBAUTHN_ORIGINS', 'http://app.example.com'],
  ['MUSTER_WEBAUTHN_ORIGINS', 'http://127.0.0.1:4600'],
  ['MUSTER_WEBAUTHN_ORIGINS', 'null'],
  ['MUSTER_WEBAUTHN_ORIGINS', 'android:apk-key-hash:short'],
])('rejects %s=%s at the start', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(ConfigError)
  try {
    readConfig({ [name]: value })
  } catch (error) {
    expect(String(error)).toContain(name)
  }
})
