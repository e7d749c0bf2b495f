import { once } from 'node:events'
import { createServer } from 'node:https'
import tls from 'node:tls'
import { onTestFinished, vi } from 'vitest'

/** A server over TLS whose certificate no authority has signed, as that of someone who stands in for another server. */
export async function startUntrustedServer(): Promise<{ readonly url: string; readonly received: readonly string[] }> {
  const received: string[] = []
  const server = createServer({ key: untrustedKey, cert: untrustedCert }, (request, response) => {
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
