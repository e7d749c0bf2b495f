import { Secret as OtpSecret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import { type Answer, type Call, type Service, type ServiceOptions, startService } from './service.ts'

/** A service that many clients can sign in to at once, each from its own address. */
export function startIssuer(options: ServiceOptions = {}): Promise<Service> {
  const env = { MUSTER_TRUSTED_PROXIES: '127.0.0.1', MUSTER_SIGN_INS_PER_MINUTE: '1000000', ...options.env }
  return startService({ ...options, env })
}

/** A client with an address that no other client of the test has. */
export interface TestClient {
  readonly address: string
  post(path: string, body?: unknown, token?: string): Promise<Answer>
  send(method: string, path: string, options?: Call): Promise<Answer>
  signIn(email: string, password: string, more?: object): Promise<Answer>
  /** Signs in and returns the tokens. */
  openSession(person: { email: string; password: string }): Promise<SessionTokens>
}

export interface SessionTokens {
  readonly access: string
  readonly refresh: string
  /** Empty in the response to a refresh. */
  readonly device: string
}

export function newClient(service: Service, address = newAddress()): TestClient {
  const send = (method: string, path: string, options: Call = {}) =>
    service.call(method, path, { ...options, headers: { 'x-forwarded-for': address, ...options.headers } })
  const post = (path: string, body?: unknown, token?: string) =>
    send('POST', path, { ...(body !== undefined && { body }), ...(token !== undefined && { token }) })
  const signIn = (email: string, password: string, more: object = {}) =>
    post('/auth/sign-in', { email, password, ...more })
  return {
    address,
    post,
    send,
    signIn,
    async openSession({ email, password }) {
      const answer = await signIn(email, password)
      expect(answer.status, answer.text).toBe(200)
      return tokensOf(answer)
    },
  }
}

/** Fails for a challenge, which is a 200 too. */
export function tokensOf({ body, text }: Answer): SessionTokens {
  const tokens = { access_token: expect.stringMatching(/^ey/), refresh_token: expect.stringMatching(/^mrt_/) }
  expect(body, text).toMatchObject(tokens)
  const answered = body as { access_token: string; refresh_token: string; device_token?: string }
  return { access: answered.access_token, refresh: answered.refresh_token, device: answered.device_token ?? '' }
}

/** Unique, in its own /24: clients share no network. */
function newAddress(): string {
  clients += 1
  return `${20 + ((clients >> 16) & 63)}.${(clients >> 8) & 255}.${clients & 255}.1`
}

let clients = 0

export function codeAt(secret: string, nowMs: number): string {
  return new TOTP({ secret: OtpSecret.fromBase32(secret) }).generate({ timestamp: nowMs })
}

export interface EnrolledFactor {
  readonly id: string
  readonly secret: string
  readonly recoveryCodes: readonly string[]
}

/** Enrols and verifies a factor for the account of the token. */
export async function enrol(
  service: Service,
  token: string,
  { friendlyName = 'Phone', password }: { friendlyName?: string; password: string },
): Promise<EnrolledFactor> {
  const client = newClient(service)
  const enrolled = await client.post('/auth/factors', { friendlyName, password }, token)
  expect(enrolled.status, enrolled.text).toBe(201)
  const { id, secret } = enrolled.body as { id: string; secret: string }
  const code = codeAt(secret, service.clock.now())
  const done = await client.post(`/auth/factors/${id}/verify`, { code }, token)
  expect(done.status, done.text).toBe(200)
  return { id, secret, recoveryCodes: (done.body as { recoveryCodes?: string[] }).recoveryCodes ?? [] }
}

/** Signs in with the password and returns the challenge. */
export async function challengeFor(
  client: TestClient,
  { email, password }: { email: string; password: string },
): Promise<string> {
  const answer = await client.signIn(email, password)
  expect(answer.body, answer.text).toMatchObject({ mfa_required: true })
  return (answer.body as { challenge: string }).challenge
}

/** Moves the clock until the last code has expired. */
export function laterCode(service: Service): void {
  service.clock.advanceSeconds(60)
}

/** Moves every bucket of the database into the past by this time. */
export async function passTime(service: Service, seconds: number): Promise<void> {
  await service.sql(
    `update sign_in_bucket set full_at = full_at - make_interval(secs => $1), touched_at = touched_at - make_interval(secs => $1)`,
    [seconds],
  )
}
