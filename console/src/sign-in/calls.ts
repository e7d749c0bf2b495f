import { type Schemas, unwrap } from '@muster/client'
import { muster, session } from '../session/muster.ts'
import { askForPasskey } from '../session/passkeys.ts'

export type Challenge = Schemas['Challenge']
type SignedIn = Schemas['SignedIn']
type RequestOptions = Schemas['PasskeyRequest']['options']

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

/** Keeps an account that was going to be erased; of one with a second factor with a proof of it. */
export async function keepAccount(challenge: string, proof: CodeProof | undefined): Promise<void> {
  await open(await unwrap(muster.POST('/auth/account/keep', { body: { challenge, ...proof, ...device() } })))
}

export async function signInWithPasskey(): Promise<undefined> {
  const { options } = await unwrap(muster.POST('/auth/sign-in/passkey/options', { body: {} }))
  const credential = await askForPasskey(options)
  return open(await unwrap(muster.POST('/auth/sign-in/passkey', { body: { credential, ...device() } })))
}

async function open({ refresh_token, device_token }: SignedIn): Promise<undefined> {
  localStorage.setItem(deviceKey, device_token)
  await session.open(refresh_token)
}
