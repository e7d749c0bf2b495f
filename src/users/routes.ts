import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErasureRequestSettings } from '../identity/erase-account.ts'
import { readRoles } from '../identity/grants.ts'
import { type JsonText, jsonText, type Operation, operation } from '../identity/operation.ts'
import { originOfRequest } from '../platform/audit/audit.ts'
import type { Database, Rows } from '../platform/database/database.ts'
import { onlyOrganizationOf, type UserCaller } from '../platform/http/caller.ts'
import {
  adminUserContract,
  adminUserDisableContract,
  adminUserEnableContract,
  adminUserEraseContract,
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
  readonly erasure: ErasureRequestSettings
  readonly readSignInWaits?: ReadSignInWaits | undefined
  /** Idle timeout of built-in sessions, in seconds. */
  readonly sessionIdleSeconds?: number | undefined
}

/** Administrative operations on one user. */
export function adminUsers(database: Database, { erasure, readSignInWaits, sessionIdleSeconds }: UserSettings) {
  const administration = { database, acceptedIssuers: erasure.acceptedIssuers }
  return {
    read: operation(adminUserContract, async ({ caller, params, reply }) => {
      const { body, etag } = await readUser(database, params.userId, onlyOrganizationOf(caller))
      const waits = (await readSignInWaits?.(database, params.userId)) ?? []
      return answer(reply, { body: waits.length === 0 ? body : withMember(body, 'signInWaits', waits), etag })
    }),
    listSessions: operation(adminUserListSessionsContract, async ({ caller, params, reply }) => {
      const target = { userId: params.userId, within: onlyOrganizationOf(caller) }
      return jsonText<UserSessions>(reply, await readUserSessions(database, target, sessionIdleSeconds))
    }),
    listFactors: operation(adminUserListFactorsContract, async ({ caller, params, reply }) => {
      const target = { userId: params.userId, within: onlyOrganizationOf(caller) }
      return jsonText<UserFactors>(reply, await readUserFactors(database, target))
    }),
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
      ended: await endUserSessions(database, {
        caller,
        userId: params.userId,
        origin: originOfRequest(request),
      }),
    })),
  }
}

interface ChangeInput {
  readonly caller: UserCaller
  readonly params: { readonly userId: string }
  readonly request: FastifyRequest
}

function changeOf({ caller, params, request }: ChangeInput): UserChange {
  return {
    caller,
    userId: params.userId,
    ifMatch: request.headers['if-match'],
    origin: originOfRequest(request),
  }
}

/** Appends a member to the JSON text of a non-empty object. */
function withMember(text: string, name: string, value: unknown): string {
  return `${text.slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`
}

/**
 * `no-transform` (RFC 9111 §5.2.2.6) keeps proxies from compressing: Envoy removes the `ETag` of a compressed response,
 * and a change needs it.
 */
function answer(reply: FastifyReply, { body, etag }: UserState): JsonText<UserRecord> {
  reply.headers({ etag, 'cache-control': 'no-store, no-transform' })
  return jsonText(reply, body)
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
