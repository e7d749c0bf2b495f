import { exportAccount } from '../../identity/account-export.ts'
import type { ErasureRequestSettings } from '../../identity/erase-account.ts'
import { issuerNames } from '../../identity/issuers/names.ts'
import { operations } from '../../identity/operation.ts'
import { streamResponse } from '../../platform/http/transfer.ts'
import { optionalSecret, Secret } from '../../platform/secret.ts'
import { optionalProof } from '../factors/second-proof.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { changePassword } from '../passwords/current-password.ts'
import type { Attempts } from '../sessions/attempts.ts'
import { clientOf, deviceAt, originOf } from '../sessions/client.ts'
import { readCurrentSession } from '../sessions/current-session.ts'
import { accountContracts } from './contract.ts'
import { changePreferences, eraseOwnAccount, keepOwnAccount, readOwnAccount } from './own-account.ts'

/** Limits of an export: how long the client may stop reading, and how long the whole transfer may take. */
const stallMs = 30_000
const wholeMs = 120_000

export function accountOperations(issuer: BuiltInIssuer, attempts: Attempts, erasure: ErasureRequestSettings) {
  const { database } = issuer
  const issuers = issuerNames(issuer.entry)
  const account = operations(accountContracts, {
    readOwnAccount: async ({ caller }) => readOwnAccount(database, caller),
    changeOwnAccount: async ({ caller, body }) => changePreferences(database, caller, body),
    exportOwnAccount: async ({ caller, request, reply }) => {
      const { accountId } = await readCurrentSession(database, caller)
      const origin = originOf(clientOf(request))
      const pieces = await exportAccount(database, { accountId, issuers, actorId: accountId, origin })
      reply.type('application/json; charset=utf-8').header('content-disposition', 'attachment; filename="account.json"')
      return reply.send(streamResponse(pieces, { request, reply, stallMs }))
    },
    eraseOwnAccount: async ({ caller, request }) => ({
      erasesAt: (await eraseOwnAccount(database, erasure, caller, clientOf(request))).toISOString(),
    }),
    keepOwnAccount: async (input) => {
      const challenge = new Secret(input.body.challenge)
      const deviceToken = optionalSecret(input.body.device_token)
      const keep = { challenge, proof: optionalProof(input.body), deviceToken }
      const device = deviceAt(challenge, deviceToken)
      return attempts.bySender(input, device, (client) => keepOwnAccount(issuer, keep, client))
    },
    changePassword: async (input) => {
      const { caller, body } = input
      const passwords = { current: new Secret(body.currentPassword), next: new Secret(body.newPassword) }
      await attempts.byAccount(input, (client) => changePassword(issuer, caller, passwords, client))
    },
  })
  return { ...account, exportOwnAccount: { ...account.exportOwnAccount, timeoutMs: wholeMs } }
}
