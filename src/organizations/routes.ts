import type { FastifyRequest } from 'fastify'
import { jsonText, operation } from '../identity/operation.ts'
import { originOfRequest } from '../platform/audit/audit.ts'
import type { Database } from '../platform/database/database.ts'
import type { UserCaller } from '../platform/http/caller.ts'
import {
  invitationHoursDefault,
  membersPageSizeDefault,
  orgsAcceptContract,
  orgsContract,
  orgsCreateContract,
  orgsInvitationRevokeContract,
  orgsInvitationsContract,
  orgsInviteContract,
  orgsLeaveContract,
  orgsMemberRemoveContract,
  orgsMemberRoleContract,
  orgsMembersContract,
  orgsSecurityChangeContract,
  orgsSecurityContract,
} from './contract.ts'
import { acceptInvitation, createInvitation, readInvitations, revokeInvitation } from './invitations.ts'
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
    acceptInvitation: operation(orgsAcceptContract, async ({ caller, body, request }) =>
      acceptInvitation(database, { caller, origin: originOfRequest(request) }, body.token),
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
    invite: operation(orgsInviteContract, async (input) => {
      const { role: roleId = 'member', expiresInHours = invitationHoursDefault } = input.body
      return createInvitation(database, membershipRequestOf(input), { roleId, expiresInHours })
    }),
    listInvitations: operation(orgsInvitationsContract, async ({ params, reply }) =>
      jsonText(reply, await readInvitations(database, params.orgId)),
    ),
    revokeInvitation: operation(orgsInvitationRevokeContract, async (input) =>
      revokeInvitation(database, membershipRequestOf(input), input.params.invitationId),
    ),
    readSecurity: operation(orgsSecurityContract, async ({ params }) => readSecurity(database, params.orgId)),
    changeSecurity: operation(orgsSecurityChangeContract, async (input) =>
      changeSecurity(database, membershipRequestOf(input), input.body.requiresMfa),
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
