import { once } from 'node:events'
import { createServer } from 'node:https'
import tls from 'node:tls'
import { onTestFinished, vi } from 'vitest'

/** A server over TLS. By default no authority has signed its certificate, as that of someone who stands in for another server. */
export async function startUntrustedServer(
  cert = untrustedCert,
): Promise<{ readonly url: string; readonly received: readonly string[] }> {
  const received: string[] = []
  const server = createServer({ key: untrustedKey, cert }, (request, response) => {
    received.push(`${request.method} ${request.url}`)
    response.end('{}')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { url: `https://127.0.0.1:${port}`, received }
}

/** Trusts the certificate in this process, as `NODE_EXTRA_CA_CERTS` does from the start of one. `vi.restoreAllMocks()` ends it. */
export function trustUntrusted(): void {
  const trusting = new Proxy(tls.connect, {
    apply: (connect, self, [options]) => Reflect.apply(connect, self, [{ ...options, ca: untrustedCert }]),
  })
  vi.spyOn(tls, 'connect').mockImplementation(trusting)
}

/** For these tests only: localhost and 127.0.0.1, until 2126. */
export const untrustedKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZMp1OCiaHazVutdo
D5hMJws9Vp39H6Bz3Pi8smXNGxqhRANCAASOVLuYTXCyAqvQE1Uw0RxHAqs5tpkU
IFueVaQZCYAadPUqrWQp/kaqiP1+4stLSKwzJBLvcAeuWDzwmMhI6ur3
-----END PRIVATE KEY-----`

export const untrustedCert = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUe81zkbMLqYD7XoHvpBK+d4gaDHMwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjE4NTEyNFoYDzIxMjYxMDI5
MTg1MTI0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASOVLuYTXCyAqvQE1Uw0RxHAqs5tpkUIFueVaQZCYAadPUqrWQp/kaq
iP1+4stLSKwzJBLvcAeuWDzwmMhI6ur3o28wbTAdBgNVHQ4EFgQUnGkdcb1EjK5V
YFhBL+2LexiPwqMwHwYDVR0jBBgwFoAUnGkdcb1EjK5VYFhBL+2LexiPwqMwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgbOnfDkaL75kS3+pnNsURJzY/crcOdpC8B5CtFAYz8p4CIQDR
8ATBVoJmq9LHSwevPuzHqcd7YsYMvzfZkLIHJ9ou0w==
-----END CERTIFICATE-----`

/** With the same key, signed by `untrustedCert`: for localhost and 127.0.0.1, expired in 2020. */
export const expiredCert = `-----BEGIN CERTIFICATE-----
MIIBUjCB+aADAgECAgIQADAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwHhcNMjAwMTAxMDAwMDAwWhcNMjAwMjAxMDAwMDAwWjASMRAwDgYDVQQDDAdl
eHBpcmVkMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEjlS7mE1wsgKr0BNVMNEc
RwKrObaZFCBbnlWkGQmAGnT1Kq1kKf5Gqoj9fuLLS0isMyQS73AHrlg88JjISOrq
96M9MDswGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMB0GA1UdDgQWBBScaR1x
vUSMrlVgWEEv7Yt7GI/CozAKBggqhkjOPQQDAgNIADBFAiEAjHkoPpQ82RXY1Cv7
sStOACbsJS2p49Bc6DpaEqwAdGcCIFsLX4vFEBgssW2XERGOdRJN4k6v9xxHmG4w
FRFF0KkQ
-----END CERTIFICATE-----`

/** With the same key, signed by `untrustedCert`: for elsewhere.example, until 2126. */
export const otherHostCert = `-----BEGIN CERTIFICATE-----
MIIBWTCB/6ADAgECAgIQATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyNjAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWVsc2V3aGVyZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABI5Uu5hNcLICq9AT
VTDRHEcCqzm2mRQgW55VpBkJgBp09SqtZCn+RqqI/X7iy0tIrDMkEu9wB65YPPCY
yEjq6vejPzA9MBwGA1UdEQQVMBOCEWVsc2V3aGVyZS5leGFtcGxlMB0GA1UdDgQW
BBScaR1xvUSMrlVgWEEv7Yt7GI/CozAKBggqhkjOPQQDAgNJADBGAiEA2Ap6nWbq
1GJVfyA2cCt2hR36HSZ3ZxBc5otCutXyJvICIQC12mDpzDvkA1Se0SRQ8C2UJTsj
NSrscKu+PVxY6afFrw==
-----END CERTIFICATE-----`
