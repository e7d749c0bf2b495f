import { refreshContract } from '../contract/auth-sign-in.ts'
import type { BuiltInIssuer } from '../issuer/issuer.ts'
import { refresh } from '../issuer/refresh.ts'
import { Secret } from '../secret.ts'
import { type Operation, operation } from '../server/operation.ts'
import { clientOf } from './auth-client.ts'

export function authRefresh(issuer: BuiltInIssuer): Operation {
  return operation(refreshContract, async ({ body, request }) =>
    refresh(issuer, new Secret(body.refresh_token), clientOf(request)),
  )
}
