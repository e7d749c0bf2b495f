import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../src/config.ts'

const originsOf = (value: string) =>
  readConfig({ MUSTER_PUBLIC_URL: 'https://id.example.com', MUSTER_WEBAUTHN_ORIGINS: value }).issuer.passkeys?.origins
const hash = 'Ab-_'.repeat(10).concat('Xy9')
const app = `android:apk-key-hash:${hash}`

test('an app is named by the 43 characters of its hash, beside pages', () => {
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
])('anything else stops the start: %s', (value) => {
  expect(() => originsOf(value)).toThrow(ConfigError)
  expect(() => originsOf(`https://app.example.com,${value}`)).toThrow(/MUSTER_WEBAUTHN_ORIGINS/)
})
