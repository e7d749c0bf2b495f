import { expect, onTestFinished, test, vi } from 'vitest'
import { serviceForTest } from '../../../support/service.ts'
import {
  expiredCert,
  otherHostCert,
  startUntrustedServer,
  trustUntrusted,
  untrustedCert,
} from '../../../support/untrusted-tls.ts'

const path = '/api/v1/provider/keys/validate'

test.each([
  ['a self-signed certificate', untrustedCert, 'DEPTH_ZERO_SELF_SIGNED_CERT', false],
  ['a certificate of an unknown authority', otherHostCert, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', false],
  ['an expired certificate of a trusted authority', expiredCert, 'CERT_HAS_EXPIRED', true],
  ['a certificate for another host', otherHostCert, 'ERR_TLS_CERT_ALTNAME_INVALID', true],
])('logs the error code of %s once for many checks, and never a key', async (_, cert, errorCode, isTrusted) => {
  const { url, received } = await startUntrustedServer(cert)
  const service = await serviceForTest({ env: { MUSTER_CLOUDFLARE_URL: url } })
  const { token } = await service.person()
  if (isTrusted) trustUntrusted()
  onTestFinished(() => void vi.restoreAllMocks())
  const keys = Array.from({ length: 5 }, (_, n) => `cfut_Zx9canaryQ7w8eR6t5yU4i3o2p1aSdFgHj${n}`)
  for (const apiKey of keys) {
    const { status, text, body } = await service.post(path, { token, body: { apiKey, keyType: 'api_token' } })
    expect([status, body]).toMatchObject([502, { code: 'provider_unreachable' }])
    // The reason is for the operator only.
    expect(text).not.toContain(errorCode)
    expect(text).not.toContain('127.0.0.1')
  }
  expect(received).toEqual([])
  const log = await service.logged()
  const lines = log.split('\n').filter((line) => line.includes('"provider call failed"'))
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, failures: 1, call: { provider: 'cloudflare', errorCode, phase: 'tls', host: new URL(url).host } },
  ])
  expect(log).not.toContain('Zx9canary')
})
