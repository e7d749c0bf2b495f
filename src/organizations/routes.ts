import type { FastifyRequest } from 'fastify'
import type { Caller } from '../identity/caller.ts'
import type { MembershipRequest } from '../identity/membership.ts'
import { jsonText, type Operation, operation } from '../identity/operation.ts'
import type { Database } from '../platform/database/database.ts'
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
} from './contract.ts'
import { acceptInvitation, invite, readInvitations, revokeInvitation } from './invitations.ts'
import {
  changeMemberRole,
  createOwnOrganization,
  leaveOrganization,
  readMembers,
  readOwnOrganizations,
  removeMember,
} from './members.ts'

/** Organisations, as their members see them. */
export function orgs(database: Database): readonly Operation[] {
  return [
    operation(orgsContract, async ({ caller, reply }) => {
      return jsonText(reply, await readOwnOrganizations(database, caller))
    }),
    operation(orgsCreateContract, async ({ caller, body, request, reply }) => {
      reply.code(201)
      return createOwnOrganization(database, { caller, origin: originOf(request) }, body.name)
    }),
    operation(orgsAcceptContract, async ({ caller, body, request }) =>
      acceptInvitation(database, { caller, origin: originOf(request) }, body.token),
    ),
    operation(orgsLeaveContract, async (input) => {
      await leaveOrganization(database, membershipRequestOf(input))
      input.reply.code(204)
    }),
    operation(orgsMembersContract, async (input) => {
      const { limit = membersPageSizeDefault, after } = input.query
      const { body, next } = await readMembers(database, membershipRequestOf(input), { limit, after })
      const path = orgsMembersContract.path.replace('{orgId}', input.params.orgId)
      if (next !== undefined) input.reply.header('link', `<${path}?limit=${limit}&after=${next}>; rel="next"`)
      return jsonText(input.reply, body)
    }),
    operation(orgsMemberRoleContract, async (input) => {
      const { params, body, reply } = input
      await changeMemberRole(database, membershipRequestOf(input), { accountId: params.userId, roleId: body.role })
      reply.code(204)
    }),
    operation(orgsMemberRemoveContract, async (input) => {
      await removeMember(database, membershipRequestOf(input), input.params.userId)
      input.reply.code(204)
    }),
    operation(orgsInviteContract, async (input) => {
      const { role: roleId = 'member', expiresInHours = invitationHoursDefault } = input.body
      input.reply.code(201)
      return invite(database, membershipRequestOf(input), { roleId, expiresInHours })
    }),
    operation(orgsInvitationsContract, async (input) => {
      return jsonText(input.reply, await readInvitations(database, membershipRequestOf(input)))
    }),
    operation(orgsInvitationRevokeContract, async (input) => {
      await revokeInvitation(database, membershipRequestOf(input), input.params.invitationId)
      input.reply.code(204)
    }),
  ]
}

function membershipRequestOf(input: {
  readonly caller: Caller
  readonly params: { readonly orgId: string }
  readonly request: FastifyRequest
}): MembershipRequest {
  return { caller: input.caller, organizationId: input.params.orgId, origin: originOf(input.request) }
}

function originOf({ ip, id }: FastifyRequest) {
  return { address: ip, requestId: id }
}
