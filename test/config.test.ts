import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ConfigError, listSettings, readConfig } from '../src/config.ts'
import type { Environment } from '../src/platform/settings.ts'

function faultsOf(env: Environment): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

const key = Buffer.alloc(32, 7).toString('base64')

test('nothing has to be configured', () => {
  expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 4600, publicUrl: 'http://localhost:4600' })
})

test('all faults are reported together, each with the name of its setting', () => {
  const faults = faultsOf({
    MUSTER_PORT: '70000',
    MUSTER_PUBLIC_URL: 'muster.example',
    MUSTER_LOG_LEVEL: 'loud',
    MUSTER_TRUSTED_PROXIES: '10.0.0.0/8, everybody',
    MUSTER_BUILT_IN_ISSUER: 'yes',
    MUSTER_ACCESS_TOKEN_SECONDS: 'NaN',
    DATABASE_URL: 'mysql://localhost/x',
    MUSTER_PROVIDER_FASTLY_URL: 'ftp://example.com',
  })
  for (const name of [
    'MUSTER_PORT',
    'MUSTER_PUBLIC_URL',
    'MUSTER_LOG_LEVEL',
    'MUSTER_TRUSTED_PROXIES',
    'MUSTER_BUILT_IN_ISSUER',
    'MUSTER_ACCESS_TOKEN_SECONDS',
    'DATABASE_URL',
    'MUSTER_PROVIDER_FASTLY_URL',
  ])
    expect(
      faults.filter((fault) => fault.startsWith(name)),
      name,
    ).toHaveLength(1)
})

test('a number that is not a whole number in its bounds never starts the service', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (text) => {
      fc.pre(text.trim() !== '' && !(/^\d+$/.test(text.trim()) && Number(text) <= 65_535))
      expect(faultsOf({ MUSTER_PORT: text })).toHaveLength(1)
    }),
  )
})

describe('secrets', () => {
  test('come from a file as well, and two sources for one are a fault', () => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-config-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'key')
    writeFileSync(path, `${key}\n`)
    expect(readConfig({ MUSTER_ENCRYPTION_KEY_FILE: path }).issuer.encryptionKey?.open()).toBe(key)
    expect(faultsOf({ MUSTER_ENCRYPTION_KEY_FILE: path, MUSTER_ENCRYPTION_KEY: key })).toHaveLength(1)
    expect(faultsOf({ MUSTER_ENCRYPTION_KEY_FILE: '/nowhere' })).toHaveLength(1)
  })

  test('are printed by nothing: not by JSON, inspect or a fault', () => {
    const url = 'postgres://muster:hunter2@db/muster'
    const config = readConfig({ DATABASE_URL: url, MUSTER_ENCRYPTION_KEY: key })
    for (const text of [JSON.stringify(config), inspect(config, { depth: 9 }), `${config.database.url}`]) {
      expect(text).not.toContain('hunter2')
      expect(text).not.toContain(key)
    }
    expect(faultsOf({ MUSTER_ENCRYPTION_KEY: 'hunter2' }).join()).not.toContain('hunter2')
    expect(faultsOf({ DATABASE_URL: 'mysql://x:hunter2@db' }).join()).not.toContain('hunter2')
  })

  test('an external database needs an encryption key of its own, because its nodes share it', () => {
    expect(faultsOf({ DATABASE_URL: 'postgres://db/muster' })).toEqual([
      expect.stringContaining('MUSTER_ENCRYPTION_KEY'),
    ])
    expect(faultsOf({ DATABASE_URL: 'postgres://db/muster', MUSTER_BUILT_IN_ISSUER: 'false' })).toEqual([])
  })
})

test('providers get their base address by id, Cloudflare by its own name as well', () => {
  const { baseUrls } = readConfig({
    MUSTER_CLOUDFLARE_URL: 'http://127.0.0.1:4700/client/v4/',
    MUSTER_PROVIDER_DIGITALOCEAN_URL: 'https://proxy.example',
  }).providers
  expect(Object.fromEntries(baseUrls)).toEqual({
    cloudflare: 'http://127.0.0.1:4700/client/v4',
    digitalocean: 'https://proxy.example',
  })
})

test('every setting is documented', () => {
  for (const { meaning } of listSettings()) expect(meaning).toMatch(/[.…]$/)
})
