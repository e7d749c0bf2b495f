import type { FastifyReply } from 'fastify'
import { opaqueTokenHash } from '../../identity/opaque-tokens.ts'
import { type Operation, operation } from '../../identity/operation.ts'
import { Secret } from '../../platform/secret.ts'
import { signOutContract } from '../contract/sessions.ts'
import { completeSignInContract, refreshContract, signInContract, signUpContract } from '../contract/sign-in.ts'
import { stepUpContract } from '../contract/step-up.ts'
import { completeSignIn } from '../factors/second-step.ts'
import { findDevice } from '../guessing/devices.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { normalizeEmail } from '../passwords/password-accounts.ts'
import { clientOf } from '../sessions/client.ts'
import { limitUnknownTokens, refresh } from '../sessions/refresh.ts'
import { signOut } from '../sessions/sessions.ts'
import { signIn } from '../sign-in.ts'
import { signUp } from '../sign-up.ts'
import { stepUp } from '../step-up.ts'
import type { Attempts } from './attempts.ts'
import { optionalCode, optionalProof, proofOf } from './proofs.ts'

export function signUpRoute(issuer: BuiltInIssuer, attempts: Attempts): Operation<typeof signUpContract> {
  return operation(signUpContract, async (input) => {
    const { email, password, invitation, signIn: opensSession = true } = input.body
    const body = {
      email,
      opensSession,
      ...(password !== undefined && { password: new Secret(password) }),
      ...(invitation !== undefined && { invitation: new Secret(invitation) }),
    }
    const result = await attempts.bySender(input, unknownDevice, (client) => signUp(issuer, body, client))
    if (result === 'created') return withoutSession(input)
    if (result !== 'link_mailed') return result
    input.reply.code(202)
    return {}
  })
}

export function signInRoute(issuer: BuiltInIssuer, attempts: Attempts): Operation<typeof signInContract> {
  return operation(signInContract, async (input) => {
    const { email, password } = input.body
    const deviceToken = deviceTokenOf(input.body)
    const credentials = { email, password: new Secret(password), deviceToken, proof: optionalCode(input.body) }
    const device = async () =>
      deviceToken && findDevice(issuer.database, { token: deviceToken, email: normalizeEmail(email) })
    return attempts.bySender(input, device, (client, sender) => signIn(issuer, credentials, client, sender))
  })
}

export function completeSignInRoute(
  issuer: BuiltInIssuer,
  attempts: Attempts,
): Operation<typeof completeSignInContract> {
  return operation(completeSignInContract, async (input) => {
    const challenge = new Secret(input.body.challenge)
    const step = { challenge, proof: proofOf(input.body), deviceToken: deviceTokenOf(input.body) }
    const device = async () =>
      step.deviceToken &&
      findDevice(issuer.database, { token: step.deviceToken, challengeHash: opaqueTokenHash(challenge.open()) })
    return attempts.bySender(input, device, (client) => completeSignIn(issuer, step, client))
  })
}

export function refreshRoute(issuer: BuiltInIssuer): Operation<typeof refreshContract> {
  const unknownTokens = limitUnknownTokens(issuer)
  return operation(refreshContract, async ({ body, request }) =>
    refresh(issuer, new Secret(body.refresh_token), clientOf(request), unknownTokens),
  )
}

export function stepUpRoute(issuer: BuiltInIssuer, attempts: Attempts): Operation<typeof stepUpContract> {
  return operation(stepUpContract, async (input) => {
    const { caller, body } = input
    const password = body.password === undefined ? undefined : new Secret(body.password)
    const proof = password ? optionalProof(body) : proofOf(body)
    return attempts.byAccount(input, (client) => stepUp(issuer, caller, { password, proof }, client))
  })
}

export function signOutRoute(issuer: BuiltInIssuer): Operation<typeof signOutContract> {
  return operation(signOutContract, async ({ caller, request }) => signOut(issuer, caller, clientOf(request)))
}

/** 204: the account is created, without a session. */
export function withoutSession({ reply }: { readonly reply: FastifyReply }): undefined {
  reply.code(204)
}

export const unknownDevice = async () => undefined

export function deviceTokenOf({ device_token }: { readonly device_token?: string }): Secret | undefined {
  return device_token === undefined ? undefined : new Secret(device_token)
}
