import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErasureRequestSettings } from '../identity/erase-account.ts'
import { readRoles } from '../identity/grants.ts'
import type { IssuerNames } from '../identity/issuers/names.ts'
import {
  type Input,
  jsonText,
  type Operation,
  onlyOrganizationOf,
  operation,
  operations,
} from '../identity/operation.ts'
import { originOfRequest } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import type { UserCaller } from '../platform/http/caller.ts'
import { type UserRecord, userContracts, userRecoveryContract } from './contract.ts'
import {
  changeUserRole,
  endUserSessions,
  eraseUser,
  findUser,
  type MakeRecoveryLink,
  makeRecoveryLink,
  readUser,
  renameUser,
  setUserDisabled,
  type UserChange,
  type UserState,
} from './operator-actions.ts'
import { adminRolesContract, type ListedRoles } from './roles-contract.ts'
import { type UserFactors, type UserSessions, userSignInContracts } from './sign-in-contract.ts'
import { readUserFactors, readUserSessions } from './sign-in-state.ts'

/** The current lockouts of an account. Absent without the built-in issuer. */
type ReadSignInWaits = (rows: Rows, accountId: string) => Promise<NonNullable<UserRecord['signInWaits']>>

interface UserSettings {
  readonly issuers: IssuerNames
  readonly erasure: ErasureRequestSettings
  readonly readSignInWaits?: ReadSignInWaits | undefined
  /** Idle timeout of built-in sessions, in seconds. */
  readonly sessionIdleSeconds?: number | undefined
}

/** Administrative operations on one user. */
export function adminUsers(
  database: Database,
  { issuers, erasure, readSignInWaits, sessionIdleSeconds }: UserSettings,
) {
  const administration = { database, acceptedIssuers: erasure.acceptedIssuers }
  const answerRead = async (reply: FastifyReply, userId: string, within: string | undefined) => {
    const { user, etag } = await readUser(database, userId, within)
    const waits = (await readSignInWaits?.(database, userId)) ?? []
    return answer(reply, { user: waits.length === 0 ? user : { ...user, signInWaits: waits }, etag })
  }
  /**
   * `no-transform` (RFC 9111 §5.2.2.6) keeps proxies from compressing: Envoy removes the `ETag` of a compressed
   * response, and a change needs it.
   */
  const answer = (reply: FastifyReply, { user, etag }: UserState) => {
    reply.headers({ etag, 'cache-control': 'no-store, no-transform' })
    return issuers.shown(user)
  }
  const contracts = { ...userContracts, ...userSignInContracts }
  return operations(contracts, {
    read: ({ caller, params, reply }) => answerRead(reply, params.userId, onlyOrganizationOf(caller)),
    find: async ({ caller, query, reply }) => {
      const within = onlyOrganizationOf(caller)
      const identity = { issuer: issuers.stored(query.issuer), subject: query.subject }
      return answerRead(reply, await findUser(database, identity, within), within)
    },
    listSessions: async (input) =>
      jsonText<UserSessions>(input.reply, await readUserSessions(database, targetOf(input), sessionIdleSeconds)),
    listFactors: async (input) => jsonText<UserFactors>(input.reply, await readUserFactors(database, targetOf(input))),
    disable: async (input) => answer(input.reply, await setUserDisabled(administration, changeOf(input), true)),
    enable: async (input) => answer(input.reply, await setUserDisabled(administration, changeOf(input), false)),
    changeRole: async (input) =>
      answer(input.reply, await changeUserRole(administration, changeOf(input), input.body.role)),
    rename: async (input) =>
      answer(input.reply, await renameUser(administration, changeOf(input), input.body.displayName)),
    erase: async (input) => {
      const immediately = input.body.immediately === true
      const erasesAt = await eraseUser(database, changeOf(input), { ...erasure, immediately })
      return { erasesAt: erasesAt.toISOString() }
    },
    endSessions: async (input) => ({ ended: await endUserSessions(database, changeOf(input)) }),
  })
}

function targetOf({ caller, params }: Pick<Input<typeof userSignInContracts.listSessions>, 'caller' | 'params'>) {
  return { userId: params.userId, within: onlyOrganizationOf(caller) }
}

interface ChangeInput {
  readonly caller: UserCaller
  readonly params: { readonly userId: string }
  readonly request: FastifyRequest
}

function changeOf({ caller, params, request }: ChangeInput): UserChange {
  return { caller, userId: params.userId, ifMatch: request.headers['if-match'], origin: originOfRequest(request) }
}

/** `makeLink` comes from the built-in issuer, which stores passwords and links. */
export function adminUserRecovery(
  database: Database,
  makeLink: MakeRecoveryLink,
): Operation<typeof userRecoveryContract> {
  return operation(userRecoveryContract, async (input) => {
    const resetsFactors = input.body.resetFactors === true
    const made = await makeRecoveryLink(database, changeOf(input), { resetsFactors, makeLink })
    if (made) return { link: made.link, expiresAt: made.expiresAt.toISOString() }
    input.reply.code(202)
    return {}
  })
}

export function adminRoles(rows: Rows): Operation<typeof adminRolesContract> {
  return operation(adminRolesContract, async ({ reply }) => jsonText<ListedRoles>(reply, await readRoles(rows)))
}
