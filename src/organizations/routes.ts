import type { FastifyRequest } from 'fastify'
import { jsonText, operation } from '../identity/operation.ts'
import { originOfRequest } from '../platform/audit/audit.ts'
import type { Database } from '../platform/database/database.ts'
import type { UserCaller } from '../platform/http/caller.ts'
import {
  membersPageSizeDefault,
  orgsContract,
  orgsCreateContract,
  orgsDeleteContract,
  orgsLeaveContract,
  orgsMemberRemoveContract,
  orgsMemberRoleContract,
  orgsMembersContract,
  orgsReadContract,
  orgsRenameContract,
  orgsRolesContract,
  orgsSecurityChangeContract,
  orgsSecurityContract,
} from './contract.ts'
import {
  invitationHoursDefault,
  orgsAcceptContract,
  orgsInvitationRevokeContract,
  orgsInvitationSendContract,
  orgsInvitationsContract,
  orgsInviteContract,
  receivedInvitationAcceptContract,
  receivedInvitationDeclineContract,
  receivedInvitationsContract,
  receivedInvitationsDefault,
} from './invitation-contract.ts'
import type { InvitationMailer } from './invitation-mail.ts'
import { createInvitation, readInvitations, revokeInvitation, sendInvitation } from './invitations.ts'
import {
  changeMemberRole,
  createOwnOrganization,
  leaveOrganization,
  readMembers,
  readOwnOrganizations,
  removeMember,
  transferOrganization,
} from './members.ts'
import type { MembershipRequest } from './membership.ts'
import { deleteOrganization, readAssignableRoles, readOrganization, renameOrganization } from './organization.ts'
import { acceptInvitation, declineInvitation, readReceivedInvitations } from './received-invitations.ts'
import { changeSecurity, readSecurity } from './security.ts'
import { orgsTransferContract } from './transfer-contract.ts'

/** Operations on organizations for their members. */
export function organizations(database: Database) {
  return {
    listOwn: operation(orgsContract, async ({ caller, reply }) =>
      jsonText(reply, await readOwnOrganizations(database, caller)),
    ),
    create: operation(orgsCreateContract, async ({ caller, body, request }) =>
      createOwnOrganization(database, { accountId: caller.accountId, origin: originOfRequest(request) }, body.name),
    ),
    read: operation(orgsReadContract, async ({ caller, params }) =>
      readOrganization(database, params.orgId, caller.kind === 'user' ? caller.accountId : undefined),
    ),
    rename: operation(orgsRenameContract, async (input) =>
      renameOrganization(database, membershipRequestOf(input), input.body.name),
    ),
    remove: operation(orgsDeleteContract, async (input) => {
      const { ignoreSubscriptions = false } = input.body
      await deleteOrganization(database, membershipRequestOf(input), { ignoreSubscriptions })
    }),
    listRoles: operation(orgsRolesContract, async ({ caller, params, reply }) =>
      jsonText(reply, await readAssignableRoles(database, params.orgId, caller.accountId)),
    ),
    leave: operation(orgsLeaveContract, async (input) => leaveOrganization(database, membershipRequestOf(input))),
    listMembers: operation(orgsMembersContract, async (input) => {
      const { limit = membersPageSizeDefault, after } = input.query
      const { body, next } = await readMembers(database, input.params.orgId, { limit, after })
      const path = orgsMembersContract.path.replace('{orgId}', input.params.orgId)
      if (next !== undefined) input.reply.header('link', `<${path}?limit=${limit}&after=${next}>; rel="next"`)
      return jsonText(input.reply, body)
    }),
    changeMemberRole: operation(orgsMemberRoleContract, async (input) => {
      const member = { accountId: input.params.userId, roleId: input.body.role }
      await changeMemberRole(database, membershipRequestOf(input), member)
    }),
    removeMember: operation(orgsMemberRemoveContract, async (input) =>
      removeMember(database, membershipRequestOf(input), input.params.userId),
    ),
    transfer: operation(orgsTransferContract, async (input) =>
      transferOrganization(database, membershipRequestOf(input), input.body.userId),
    ),
    readSecurity: operation(orgsSecurityContract, async ({ params }) => readSecurity(database, params.orgId)),
    changeSecurity: operation(orgsSecurityChangeContract, async (input) =>
      changeSecurity(database, membershipRequestOf(input), input.body.requiresMfa),
    ),
  }
}

/** Operations on invitations: for members who can invite, and for the invited users. */
export function invitations(database: Database, mailer: InvitationMailer | undefined) {
  return {
    invite: operation(orgsInviteContract, async (input) => {
      const { role: roleId = 'member', expiresInHours = invitationHoursDefault, ...to } = input.body
      return createInvitation(database, membershipRequestOf(input), { roleId, expiresInHours, ...to, mailer })
    }),
    list: operation(orgsInvitationsContract, async ({ params, reply }) =>
      jsonText(reply, await readInvitations(database, params.orgId)),
    ),
    send: operation(orgsInvitationSendContract, async (input) => {
      const { invitationId } = input.params
      const { expiresInHours = invitationHoursDefault, language } = input.body
      const options = { invitationId, expiresInHours, language, mailer }
      return sendInvitation(database, membershipRequestOf(input), options)
    }),
    revoke: operation(orgsInvitationRevokeContract, async (input) =>
      revokeInvitation(database, membershipRequestOf(input), input.params.invitationId),
    ),
    acceptToken: operation(orgsAcceptContract, async ({ caller, body, request }) =>
      acceptInvitation(database, { caller, origin: originOfRequest(request) }, body),
    ),
    listReceived: operation(receivedInvitationsContract, async ({ caller, query, reply }) => {
      const { limit = receivedInvitationsDefault, after } = query
      const { body, next } = await readReceivedInvitations(database, caller, { limit, after })
      const { path } = receivedInvitationsContract
      if (next !== undefined) reply.header('link', `<${path}?limit=${limit}&after=${next}>; rel="next"`)
      return jsonText(reply, body)
    }),
    accept: operation(receivedInvitationAcceptContract, async ({ caller, params, request }) =>
      acceptInvitation(database, { caller, origin: originOfRequest(request) }, params),
    ),
    decline: operation(receivedInvitationDeclineContract, async ({ caller, params, request }) =>
      declineInvitation(database, { caller, origin: originOfRequest(request) }, params.invitationId),
    ),
  }
}

function membershipRequestOf(input: {
  readonly caller: UserCaller
  readonly params: { readonly orgId: string }
  readonly request: FastifyRequest
}): MembershipRequest {
  return { caller: input.caller, organizationId: input.params.orgId, origin: originOfRequest(input.request) }
}
