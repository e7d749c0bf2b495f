import { setTimeout } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'
import Type, { type Static, type TSchema } from 'typebox'
import Value from 'typebox/value'
import { type Ask, ask } from './faults/client.ts'

/** A user with a password, a second factor and a session, all from before the move. */
export interface MovedPerson {
  readonly email: string
  readonly password: string
  readonly factorId: string
  readonly factorSecret: string
  /** When a code was last used, milliseconds since 1970. */
  readonly codeUsedAtMs: number
  readonly accessToken: string
  readonly refreshToken: string
}

/** Signs in and enrols a second factor, like a client. */
export async function enrolPerson(
  url: string,
  { email, password }: Pick<MovedPerson, 'email' | 'password'>,
): Promise<MovedPerson> {
  const { access_token: token, refresh_token: refreshToken } = await post(
    `${url}/auth/sign-in`,
    { body: { email, password } },
    Tokens,
  )
  const factor = await post(`${url}/auth/factors`, { token, body: { friendlyName: 'Phone', password } }, Factor)
  const codeUsedAtMs = Date.now()
  const code = codeAt(factor.secret, codeUsedAtMs)
  await post(`${url}/auth/factors/${factor.id}/verify`, { token, body: { code } }, Type.Unknown())
  const factorSecret = factor.secret
  return { email, password, factorId: factor.id, factorSecret, codeUsedAtMs, accessToken: token, refreshToken }
}

/**
 * What the user can do at a service: with the old access token, after a refresh, and after a sign-in with both factors. Throws if one
 * fails.
 */
export async function visit(url: string, person: MovedPerson): Promise<readonly Static<typeof UserData>[]> {
  const { email, password, accessToken, refreshToken, factorId, factorSecret, codeUsedAtMs } = person
  const renewed = await post(`${url}/auth/refresh`, { body: { refresh_token: refreshToken } }, Tokens)
  const { challenge } = await post(`${url}/auth/sign-in`, { body: { email, password } }, Challenge)
  // A code works once.
  await setTimeout(Math.max(0, stepEndsAtMs(codeUsedAtMs) - Date.now()))
  const code = codeAt(factorSecret, Date.now())
  const signedIn = await post(`${url}/auth/sign-in/second-step`, { body: { challenge, factorId, code } }, Tokens)
  const tokens = [accessToken, renewed.access_token, signedIn.access_token]
  return Promise.all(tokens.map((token) => fetchAs(`${url}/api/v1/user/data`, { token }, UserData)))
}

const stepMs = 30_000

function stepEndsAtMs(ms: number): number {
  return (Math.floor(ms / stepMs) + 1) * stepMs
}

function codeAt(secret: string, nowMs: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: nowMs })
}

const Tokens = Type.Object({ access_token: Type.String(), refresh_token: Type.String() })
const Challenge = Type.Object({ mfa_required: Type.Literal(true), challenge: Type.String() })
const Factor = Type.Object({ id: Type.String(), secret: Type.String() })
const UserData = Type.Object({
  subscription: Type.Object({ plan_id: Type.String(), status: Type.String() }),
  mfaFactors: Type.Array(Type.Object({ friendlyName: Type.String() })),
})

function post<T extends TSchema>(url: string, options: Ask, shape: T): Promise<Static<T>> {
  return fetchAs(url, { ...options, method: 'POST' }, shape)
}

async function fetchAs<T extends TSchema>(url: string, options: Ask, shape: T): Promise<Static<T>> {
  const { status, text } = await ask(url, options)
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  if (status < 300 && Value.Check(shape, body)) return body
  throw new Error(`${url}: ${status} ${text}`)
}
