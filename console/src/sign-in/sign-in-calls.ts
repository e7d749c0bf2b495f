import { type components, unwrap } from '@muster/client'
import { muster, session } from '../session/service.ts'

export type Challenge = components['schemas']['Challenge']
type SignedIn = components['schemas']['SignedIn']
type RequestOptions = components['schemas']['PasskeyRequest']['options']

/** A browser that reads the options as JSON (WebAuthn Level 3). */
export const hasPasskeys = 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/** Proves later that this browser has signed in before, and nothing else: a known device is not held up by guesses of others. */
const deviceKey = 'muster.device'

function device(): { device_token?: string } {
  const token = localStorage.getItem(deviceKey)
  return token === null ? {} : { device_token: token }
}

/** Opens the session, or returns what the second step needs. */
export async function signIn(email: string, password: string): Promise<Challenge | undefined> {
  const body = { email, password, ...device() }
  const answer = await unwrap(muster.POST('/auth/sign-in', { body }))
  return 'challenge' in answer ? answer : open(answer)
}

export type CodeProof = { readonly factorId: string; readonly code: string } | { readonly recoveryCode: string }

export async function completeWithCode(challenge: Challenge, proof: CodeProof): Promise<void> {
  const body = { challenge: challenge.challenge, ...proof, ...device() }
  await open(await unwrap(muster.POST('/auth/sign-in/second-step', { body })))
}

export async function completeWithPasskey(challenge: Challenge, options: RequestOptions): Promise<void> {
  const credential = await askForPasskey(options)
  const body = { challenge: challenge.challenge, credential, ...device() }
  await open(await unwrap(muster.POST('/auth/sign-in/second-step', { body })))
}

export async function signInWithPasskey(): Promise<void> {
  const { options } = await unwrap(muster.POST('/auth/sign-in/passkey/options', { body: {} }))
  const credential = await askForPasskey(options)
  await open(await unwrap(muster.POST('/auth/sign-in/passkey', { body: { credential, ...device() } })))
}

async function open({ refresh_token, device_token }: SignedIn): Promise<undefined> {
  localStorage.setItem(deviceKey, device_token)
  await session.open(refresh_token)
}

/** The browser's own dialog. Throws a `DOMException` where the user cancels it. */
async function askForPasskey(options: RequestOptions): Promise<components['schemas']['PasskeyCredential']> {
  // Trust boundary: the service makes the options for this function (WebAuthn Level 3 §5.1.9), and the browser the credential for the service.
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON)
  const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
  return credential.toJSON() as components['schemas']['PasskeyCredential']
}
