import { signInContract } from '../contract/session.ts'
import type { BuiltInIssuer } from '../issuer/issuer.ts'
import { Secret } from '../secret.ts'
import { type Operation, operation } from '../server/operation.ts'

export function authSignIn(issuer: BuiltInIssuer): Operation {
  return operation(signInContract, async ({ body }) => issuer.signIn(body.email, new Secret(body.password)))
}
