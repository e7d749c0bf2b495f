import { expect, test } from 'vitest'
import { serviceForTest } from '../../../support/service.ts'
import { startUntrustedServer } from '../../../support/untrusted-tls.ts'

const path = '/api/v1/provider/keys/validate'

test('a service behind an unknown certificate logs why, once for many checks, and never a key', async () => {
  const { url, received } = await startUntrustedServer()
  const service = await serviceForTest({ env: { MUSTER_CLOUDFLARE_URL: url } })
  const { token } = await service.person()
  const keys = Array.from({ length: 5 }, (_, n) => `cfut_Zx9canaryQ7w8eR6t5yU4i3o2p1aSdFgHj${n}`)
  for (const apiKey of keys) {
    const { status, text, body } = await service.post(path, { token, body: { apiKey, keyType: 'api_token' } })
    expect([status, body]).toMatchObject([502, { code: 'provider_unreachable' }])
    // The reason is for the operator only.
    expect(text).not.toMatch(/SELF_SIGNED|127\.0\.0\.1/)
  }
  expect(received).toEqual([])
  const log = await service.logged()
  const lines = log.split('\n').filter((line) => line.includes('"provider call failed"'))
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 40,
      failures: 1,
      call: {
        provider: 'cloudflare',
        errorCode: 'DEPTH_ZERO_SELF_SIGNED_CERT',
        phase: 'tls',
        host: new URL(url).host,
      },
    },
  ])
  expect(log).not.toContain('Zx9canary')
})
