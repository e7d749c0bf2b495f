import type { Schemas } from '@muster/client'

/** The ways to sign in that the service has. */
export type SignInOptions = Schemas['SignInOptions']
export type SignInIssuer = Schemas['SignInIssuer']

/** Read before there is a client, which needs the session. */
export async function readSignInOptions(): Promise<SignInOptions> {
  const path = '/console/sign-in-options'
  const response = await fetch(path)
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`)
  return await response.json()
}
