import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErasureRequestSettings } from '../identity/erase-account.ts'
import { readRoles } from '../identity/grants.ts'
import type { IssuerNames } from '../identity/issuers/names.ts'
import { jsonText, type Operation, operation } from '../identity/operation.ts'
import { originOfRequest } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { onlyOrganizationOf, type ServiceCaller, type UserCaller } from '../platform/http/caller.ts'
import {
  adminUserContract,
  adminUserDisableContract,
  adminUserEnableContract,
  adminUserEraseContract,
  adminUserFindContract,
  adminUserNameContract,
  adminUserRecoveryContract,
  adminUserRoleContract,
  adminUserSessionsContract,
  type UserRecord,
} from './contract.ts'
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
import {
  adminUserListFactorsContract,
  adminUserListSessionsContract,
  type UserFactors,
  type UserSessions,
} from './sign-in-contract.ts'
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
  return {
    read: operation(adminUserContract, async ({ caller, params, reply }) =>
      answerRead(reply, params.userId, onlyOrganizationOf(caller)),
    ),
    find: operation(adminUserFindContract, async ({ caller, query, reply }) => {
      const within = onlyOrganizationOf(caller)
      const identity = { issuer: issuers.stored(query.issuer), subject: query.subject }
      return answerRead(reply, await findUser(database, identity, within), within)
    }),
    listSessions: operation(adminUserListSessionsContract, async (input) => {
      const sessions = await readUserSessions(database, targetOf(input), sessionIdleSeconds)
      return jsonText<UserSessions>(input.reply, sessions)
    }),
    listFactors: operation(adminUserListFactorsContract, async (input) =>
      jsonText<UserFactors>(input.reply, await readUserFactors(database, targetOf(input))),
    ),
    disable: operation(adminUserDisableContract, async (input) =>
      answer(input.reply, await setUserDisabled(administration, changeOf(input), true)),
    ),
    enable: operation(adminUserEnableContract, async (input) =>
      answer(input.reply, await setUserDisabled(administration, changeOf(input), false)),
    ),
    changeRole: operation(adminUserRoleContract, async (input) =>
      answer(input.reply, await changeUserRole(administration, changeOf(input), input.body.role)),
    ),
    rename: operation(adminUserNameContract, async (input) =>
      answer(input.reply, await renameUser(administration, changeOf(input), input.body.displayName)),
    ),
    erase: operation(adminUserEraseContract, async (input) => {
      const immediately = input.body.immediately === true
      const erasesAt = await eraseUser(database, changeOf(input), { ...erasure, immediately })
      return { erasesAt: erasesAt.toISOString() }
    }),
    endSessions: operation(adminUserSessionsContract, async ({ caller, params, request }) => ({
      ended: await endUserSessions(database, { caller, userId: params.userId, origin: originOfRequest(request) }),
    })),
  }
}

function targetOf({
  caller,
  params: { userId },
}: Pick<ChangeInput, 'params'> & { caller: UserCaller | ServiceCaller }) {
  return { userId, within: onlyOrganizationOf(caller) }
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
): Operation<typeof adminUserRecoveryContract> {
  return operation(adminUserRecoveryContract, async (input) => {
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
