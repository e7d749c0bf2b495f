import { type Input, jsonText, operations } from '../identity/operation.ts'
import { originOfRequest } from '../platform/audit/audit.ts'
import type { Database } from '../platform/database/database.ts'
import { membersPageSizeDefault, organizationContracts } from './contract.ts'
import { invitationContracts, invitationHoursDefault, receivedInvitationsDefault } from './invitation-contract.ts'
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
import type { OrganizationChange } from './membership.ts'
import {
  changeSecurity,
  deleteOrganization,
  readAssignableRoles,
  readOrganization,
  readSecurity,
  renameOrganization,
} from './organization.ts'
import { acceptInvitation, declineInvitation, readReceivedInvitations } from './received-invitations.ts'

/** Operations on organizations for their members. */
export function organizations(database: Database) {
  return operations(organizationContracts, {
    listOwn: async ({ caller, reply }) => jsonText(reply, await readOwnOrganizations(database, caller)),
    create: ({ caller, body, request }) =>
      createOwnOrganization(database, { accountId: caller.accountId, origin: originOfRequest(request) }, body.name),
    read: ({ caller, params }) =>
      readOrganization(database, params.orgId, caller.kind === 'user' ? caller.accountId : undefined),
    rename: (input) => renameOrganization(database, changeOf(input), input.body.name),
    remove: (input) => {
      const { ignoreSubscriptions = false } = input.body
      return deleteOrganization(database, changeOf(input), { ignoreSubscriptions })
    },
    listRoles: async ({ caller, params, reply }) =>
      jsonText(reply, await readAssignableRoles(database, params.orgId, caller.accountId)),
    leave: (input) => leaveOrganization(database, changeOf(input)),
    listMembers: async ({ params: { orgId }, query, reply }) => {
      const { limit = membersPageSizeDefault, after } = query
      const { body, next } = await readMembers(database, orgId, { limit, after })
      const path = organizationContracts.listMembers.path.replace('{orgId}', orgId)
      if (next !== undefined) reply.header('link', `<${path}?limit=${limit}&after=${next}>; rel="next"`)
      return jsonText(reply, body)
    },
    changeMemberRole: (input) => {
      const member = { accountId: input.params.userId, roleId: input.body.role }
      return changeMemberRole(database, changeOf(input), member)
    },
    removeMember: (input) => removeMember(database, changeOf(input), input.params.userId),
    transfer: (input) => transferOrganization(database, changeOf(input), input.body.userId),
    readSecurity: ({ params }) => readSecurity(database, params.orgId),
    changeSecurity: (input) => changeSecurity(database, changeOf(input), input.body),
  })
}

/** Operations on invitations: for members who can invite, and for the invited users. */
export function invitations(database: Database, mailer: InvitationMailer | undefined) {
  return operations(invitationContracts, {
    invite: (input) => {
      const { role: roleId = 'member', expiresInHours = invitationHoursDefault, ...to } = input.body
      return createInvitation(database, changeOf(input), { roleId, expiresInHours, ...to, mailer })
    },
    list: async ({ params, reply }) => jsonText(reply, await readInvitations(database, params.orgId)),
    send: (input) => {
      const { expiresInHours = invitationHoursDefault, language } = input.body
      const options = { invitationId: input.params.invitationId, expiresInHours, language, mailer }
      return sendInvitation(database, changeOf(input), options)
    },
    revoke: (input) => revokeInvitation(database, changeOf(input), input.params.invitationId),
    acceptToken: ({ caller, body, request }) =>
      acceptInvitation(database, { caller, origin: originOfRequest(request) }, body),
    listReceived: async ({ caller, query, reply }) => {
      const { limit = receivedInvitationsDefault, after } = query
      const { body, next } = await readReceivedInvitations(database, caller, { limit, after })
      const { path } = invitationContracts.listReceived
      if (next !== undefined) reply.header('link', `<${path}?limit=${limit}&after=${next}>; rel="next"`)
      return jsonText(reply, body)
    },
    accept: ({ caller, params, request }) =>
      acceptInvitation(database, { caller, origin: originOfRequest(request) }, params),
    decline: ({ caller, params, request }) =>
      declineInvitation(database, { caller, origin: originOfRequest(request) }, params.invitationId),
  })
}

type Asked = Pick<Input<typeof organizationContracts.leave>, 'caller' | 'params' | 'request'>

function changeOf({ caller, params, request }: Asked): OrganizationChange {
  return { organizationId: params.orgId, by: { caller, origin: originOfRequest(request) } }
}
