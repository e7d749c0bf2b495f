import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from 'jose'
import { onTestFinished } from 'vitest'

export interface SigningKey {
  readonly kid: string
  readonly alg: string
  readonly privateKey: CryptoKey
  readonly publicJwk: JWK
}

/** An issuer that really runs: keys and discovery over HTTP on loopback, and tokens with any claims. */
export interface TestIssuer {
  /** Its address, without a slash at its end. */
  readonly url: string
  /** The claim `iss`: the address with the path that was asked for. */
  readonly name: string
  /** The keys that it publishes; changed by the test. */
  keys: SigningKey[]
  /** Paths that were asked for, in order. */
  readonly asked: string[]
  /** Answers instead of the issuer, until it is undefined again. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined
  /** The claims that every token has, unless the test says otherwise. */
  claims(now?: number): Record<string, unknown>
  mint(claims?: Record<string, unknown>, more?: MintOptions): Promise<string>
  stop(): Promise<void>
}

export interface MintOptions {
  readonly header?: Record<string, unknown>
  readonly key?: SigningKey
  /** Milliseconds since 1970. */
  readonly now?: number
}

const keySetPath = '/keys/jwks'

export async function newKey(alg = 'RS256', kid = `k${Math.random().toString(36).slice(2)}`): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

/** Claims with the value `undefined` are left out. `audience` is that of every token. */
export async function startIssuer({ alg = 'ES256', audience = 'muster-api', path = '' } = {}): Promise<TestIssuer> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (issuer.answer) return issuer.answer(request, response)
    const isDiscovery = request.url?.endsWith('/.well-known/openid-configuration')
    const isKeySet = /\/jwks(\.json)?$/.test(request.url ?? '')
    if (!isDiscovery && !isKeySet) return void response.writeHead(404).end()
    const document = isDiscovery
      ? { issuer: issuer.name, jwks_uri: `${issuer.url}${keySetPath}` }
      : { keys: issuer.keys.map(({ publicJwk }) => publicJwk) }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const issuer: TestIssuer = {
    url,
    name: `${url}${path}`,
    keys: [await newKey(alg)],
    asked,
    answer: undefined,
    claims(now = Date.now()) {
      const seconds = Math.floor(now / 1_000)
      return { iss: issuer.name, aud: audience, sub: 'ada', iat: seconds, exp: seconds + 600 }
    },
    async mint(claims = {}, { header = {}, key = issuer.keys[0], now } = {}) {
      if (!key) throw new Error('the issuer has no key')
      const payload = Object.entries({ ...issuer.claims(now), ...claims }).filter(([, value]) => value !== undefined)
      const protectedHeader = { alg: key.alg, kid: key.kid, ...header } as JWTHeaderParameters
      return new SignJWT(Object.fromEntries(payload)).setProtectedHeader(protectedHeader).sign(key.privateKey)
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return issuer
}

/** An issuer for one test. */
export async function issuerForTest(options?: Parameters<typeof startIssuer>[0]): Promise<TestIssuer> {
  const issuer = await startIssuer(options)
  onTestFinished(() => issuer.stop())
  return issuer
}
