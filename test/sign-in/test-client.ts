import { Secret as OtpSecret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import { type Answer, type Call, type Service, type ServiceOptions, startService } from '../support/service.ts'

/** Many visitors sign in to it at once, each from an address of their own. */
export function startIssuer(options: ServiceOptions = {}): Promise<Service> {
  const env = { MUSTER_TRUSTED_PROXIES: '127.0.0.1', MUSTER_SIGN_INS_PER_MINUTE: '1000000', ...options.env }
  return startService({ ...options, env })
}

/** Somebody at an address that nobody else in the test has. */
export interface Visitor {
  readonly address: string
  post(path: string, body?: unknown, token?: string): Promise<Answer>
  send(method: string, path: string, options?: Call): Promise<Answer>
  signIn(email: string, password: string): Promise<Answer>
  /** Signs in and answers the tokens. */
  enter(person: { email: string; password: string }): Promise<SessionTokens>
}

export interface SessionTokens {
  readonly access: string
  readonly refresh: string
}

export function visitorOf(service: Service, address = newAddress()): Visitor {
  const send = (method: string, path: string, options: Call = {}) =>
    service.call(method, path, { ...options, headers: { 'x-forwarded-for': address, ...options.headers } })
  const post = (path: string, body?: unknown, token?: string) =>
    send('POST', path, { ...(body !== undefined && { body }), ...(token !== undefined && { token }) })
  const signIn = (email: string, password: string) => post('/auth/sign-in', { email, password })
  return {
    address,
    post,
    send,
    signIn,
    async enter({ email, password }) {
      const answer = await signIn(email, password)
      expect(answer.status, answer.text).toBe(200)
      return tokensOf(answer)
    },
  }
}

export function tokensOf({ body }: Answer): SessionTokens {
  const { access_token, refresh_token } = body as { access_token: string; refresh_token: string }
  return { access: access_token, refresh: refresh_token }
}

/** Of the range that no host on the Internet has (RFC 6598); never the same one twice. */
function newAddress(): string {
  visitors += 1
  return `100.${65 + ((visitors >> 16) & 63)}.${(visitors >> 8) & 255}.${visitors & 255}`
}

let visitors = 0

export function codeAt(secret: string, nowMs: number): string {
  return new TOTP({ secret: OtpSecret.fromBase32(secret) }).generate({ timestamp: nowMs })
}

export interface EnrolledFactor {
  readonly id: string
  readonly secret: string
  readonly recoveryCodes: readonly string[]
}

/** A verified factor of the account in whose session the token is. */
export async function enrol(
  service: Service,
  token: string,
  { friendlyName = 'Phone', password }: { friendlyName?: string; password: string },
): Promise<EnrolledFactor> {
  const visitor = visitorOf(service)
  const begun = await visitor.post('/auth/factors', { friendlyName, password }, token)
  expect(begun.status, begun.text).toBe(201)
  const { id, secret } = begun.body as { id: string; secret: string }
  const code = codeAt(secret, service.clock.now())
  const done = await visitor.post(`/auth/factors/${id}/verify`, { code }, token)
  expect(done.status, done.text).toBe(200)
  return { id, secret, recoveryCodes: (done.body as { recoveryCodes?: string[] }).recoveryCodes ?? [] }
}

/** The challenge that a right password is answered with. */
export async function challengeFor(
  visitor: Visitor,
  { email, password }: { email: string; password: string },
): Promise<string> {
  const answer = await visitor.signIn(email, password)
  expect(answer.body, answer.text).toMatchObject({ mfa_required: true })
  return (answer.body as { challenge: string }).challenge
}

/** Moves the clock on until the last code is no longer one of those that are taken. */
export function laterCode(service: Service): void {
  service.clock.advanceSeconds(60)
}

/** Makes each wait after failed sign-ins this many times as long, in the database of this service. */
export const waitFactor = 600

/** For tests in which something happens during a wait: a busy machine may be later than the second that it lasts. */
export async function stretchWaits(service: Service): Promise<void> {
  await service.sql(`
    create function stretch_wait() returns trigger language plpgsql as
      'begin new.waits_until := now() + (new.waits_until - now()) * ${waitFactor}; return new; end';
    create trigger stretch_wait before update on sign_in_wait for each row
      when (new.waits_until > now() and new.waits_until > old.waits_until) execute function stretch_wait()`)
}
