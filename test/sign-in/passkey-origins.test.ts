import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { ConfigError } from '../../src/platform/settings.ts'

const originsOf = (value: string) =>
  readConfig({ MUSTER_PUBLIC_URL: 'https://id.example.com', MUSTER_WEBAUTHN_ORIGINS: value }).issuer.passkeys?.origins
const hash = 'Ab-_'.repeat(10).concat('Xy9')
const app = `android:apk-key-hash:${hash}`

test('accepts the hash of an Android app beside web origins', () => {
  expect(hash).toHaveLength(43)
  expect(originsOf(app)).toEqual([app])
  expect(originsOf(`https://app.example.com, ${app}`)).toEqual(['https://app.example.com', app])
})

test.each([
  `${app}x`,
  `${app}=`,
  `${app}/`,
  app.slice(0, -1),
  `x${app}`,
  app.replace('Ab-_', 'Ab+/'),
  app.replace('apk-key-hash', 'key-hash'),
  app.toUpperCase(),
])('rejects the origin %s at the start', (value) => {
  expect(() => originsOf(value)).toThrow(ConfigError)
  expect(() => originsOf(`https://app.example.com,${value}`)).toThrow(/MUSTER_WEBAUTHN_ORIGINS/)
})
