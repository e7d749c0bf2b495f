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
  { kind: 'a self-signed certificate', cert: untrustedCert, trusts: false, errorCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
  {
    kind: 'a certificate of an unknown authority',
    cert: otherHostCert,
    trusts: false,
    errorCode: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  },
  { kind: 'an expired certificate', cert: expiredCert, trusts: true, errorCode: 'CERT_HAS_EXPIRED' },
  {
    kind: 'a certificate for another host',
    cert: otherHostCert,
    trusts: true,
    errorCode: 'ERR_TLS_CERT_ALTNAME_INVALID',
  },
])(
  '$kind is logged once for many checks, with its error code and without any key',
  async ({ cert, trusts, errorCode }) => {
    const { url, received } = await startUntrustedServer(cert)
    const service = await serviceForTest({ env: { MUSTER_CLOUDFLARE_URL: url } })
    const { token } = await service.person()
    if (trusts) trustUntrusted()
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
  },
)
