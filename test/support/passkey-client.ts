import { expect } from 'vitest'
import { type Algorithm, type Authenticator, type Creation, newAuthenticator, type Request } from './authenticator.ts'
import type { Answer, Person, Service } from './service.ts'
import { newClient, startIssuer } from './test-client.ts'

export const origin = 'https://app.muster.test'

/** A service whose passkeys belong to muster.test and are used on its own page. */
export function startPasskeyIssuer(env: Readonly<Record<string, string>> = {}): Promise<Service> {
  return startIssuer({ env: { MUSTER_WEBAUTHN_ORIGINS: origin, ...env } })
}

export function optionsOf<Options = Creation & Request>({ body, status, text }: Answer): Options {
  expect(status, text).toBe(200)
  return (body as { options: Options }).options
}

export async function creationOptions(service: Service, token: string): Promise<Creation> {
  return optionsOf<Creation>(await newClient(service).post('/auth/passkeys/options', {}, token))
}

export async function signInOptions(service: Service): Promise<Request> {
  return optionsOf<Request>(await newClient(service).post('/auth/sign-in/passkey/options', {}))
}

export async function sessionOptions(service: Service, token: string): Promise<Request> {
  return optionsOf<Request>(await newClient(service).post('/auth/step-up/passkey/options', {}, token))
}

export interface Registered {
  readonly authenticator: Authenticator
  readonly factorId: string
  readonly recoveryCodes: readonly string[]
}

/** Adds a passkey to the account of the token. */
export async function register(
  service: Service,
  token: string,
  {
    friendlyName = 'Laptop',
    algorithm = 'ES256',
    counts = true,
  }: { readonly friendlyName?: string; readonly algorithm?: Algorithm; readonly counts?: boolean } = {},
): Promise<Registered> {
  const authenticator = newAuthenticator({ origin, algorithm, counts })
  const credential = authenticator.create(await creationOptions(service, token))
  const added = await newClient(service).post('/auth/passkeys', { friendlyName, credential }, token)
  expect(added.status, added.text).toBe(201)
  const { id, recoveryCodes = [] } = added.body as { id: string; recoveryCodes?: string[] }
  return { authenticator, factorId: id, recoveryCodes }
}

export async function withPasskey(service: Service, more?: Parameters<typeof register>[2]) {
  const person = await service.person()
  return { ...person, ...(await register(service, person.token, more)) }
}

export type Keyholder = Person & Registered

export const signInBy = (service: Service, credential: object, more: object = {}) =>
  newClient(service).post('/auth/sign-in/passkey', { credential, ...more })
