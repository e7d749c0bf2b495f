import { type Operation, operation } from '../../identity/operation.ts'
import { Secret } from '../../platform/secret.ts'
import { refreshContract } from '../contract/sign-in.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { refresh } from '../sessions/refresh.ts'
import { clientOf } from './client.ts'

export function authRefresh(issuer: BuiltInIssuer): Operation {
  return operation(refreshContract, async ({ body, request }) =>
    refresh(issuer, new Secret(body.refresh_token), clientOf(request)),
  )
}
