import { exportAccount } from '../../identity/account-export.ts'
import type { ErasureRequestSettings } from '../../identity/erase-account.ts'
import { issuerNames } from '../../identity/issuers/names.ts'
import { type Operation, operation } from '../../identity/operation.ts'
import { streamResponse } from '../../platform/http/transfer.ts'
import { Secret } from '../../platform/secret.ts'
import { optionalProof } from '../factors/second-proof.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { changePassword } from '../passwords/current-password.ts'
import type { Attempts } from '../sessions/attempts.ts'
import { clientOf, deviceAt, deviceTokenOf, originOf } from '../sessions/client.ts'
import { readCurrentSession } from '../sessions/current-session.ts'
import {
  changeOwnAccountContract,
  changePasswordContract,
  eraseOwnAccountContract,
  exportOwnAccountContract,
  keepOwnAccountContract,
  readOwnAccountContract,
} from './contract.ts'
import { changePreferences, eraseOwnAccount, keepOwnAccount, readOwnAccount } from './own-account.ts'

/** Limits of an export: how long the client may stop reading, and how long the whole transfer may take. */
const stallMs = 30_000
const wholeMs = 120_000

export function exportOwnAccountRoute(issuer: BuiltInIssuer): Operation<typeof exportOwnAccountContract> {
  const { database } = issuer
  const issuers = issuerNames(issuer.entry)
  const handle = operation(exportOwnAccountContract, async ({ caller, request, reply }) => {
    const { accountId } = await readCurrentSession(database, caller)
    const origin = originOf(clientOf(request))
    const pieces = await exportAccount(database, { accountId, issuers, actorId: accountId, origin })
    reply.type('application/json; charset=utf-8').header('content-disposition', 'attachment; filename="account.json"')
    return reply.send(streamResponse(pieces, { request, reply, stallMs }))
  })
  return { ...handle, timeoutMs: wholeMs }
}

export function readOwnAccountRoute(issuer: BuiltInIssuer): Operation<typeof readOwnAccountContract> {
  return operation(readOwnAccountContract, async ({ caller }) => readOwnAccount(issuer, caller))
}

export function changeOwnAccountRoute(issuer: BuiltInIssuer): Operation<typeof changeOwnAccountContract> {
  return operation(changeOwnAccountContract, async ({ caller, body }) => changePreferences(issuer, caller, body))
}

export function eraseOwnAccountRoute(
  issuer: BuiltInIssuer,
  settings: ErasureRequestSettings,
): Operation<typeof eraseOwnAccountContract> {
  return operation(eraseOwnAccountContract, async ({ caller, request }) => {
    const erasesAt = await eraseOwnAccount(issuer, settings, caller, clientOf(request))
    return { erasesAt: erasesAt.toISOString() }
  })
}

export function keepOwnAccountRoute(
  issuer: BuiltInIssuer,
  attempts: Attempts,
): Operation<typeof keepOwnAccountContract> {
  return operation(keepOwnAccountContract, async (input) => {
    const challenge = new Secret(input.body.challenge)
    const deviceToken = deviceTokenOf(input.body)
    const keep = { challenge, proof: optionalProof(input.body), deviceToken }
    return attempts.bySender(input, deviceAt(challenge, deviceToken), (client) => keepOwnAccount(issuer, keep, client))
  })
}

export function changePasswordRoute(
  issuer: BuiltInIssuer,
  attempts: Attempts,
): Operation<typeof changePasswordContract> {
  return operation(changePasswordContract, async (input) => {
    const { caller, body } = input
    const passwords = {
      currentPassword: new Secret(body.currentPassword),
      newPassword: new Secret(body.newPassword),
    }
    await attempts.byAccount(input, (client) => changePassword(issuer, caller, passwords, client))
  })
}
