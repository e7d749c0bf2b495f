import Type from 'typebox'
import { named, type OperationContract } from '../platform/http/contract.ts'
import { uuidRules } from '../platform/http/formats.ts'
import { common, inOrganization } from './contract.ts'

export const orgsTransferContract = {
  ...common,
  id: 'transferOrganization',
  method: 'POST',
  path: '/api/v1/orgs/{orgId}/transfer',
  permission: 'organization:manage in {orgId}',
  summary: 'Transfer an organization to another member',
  description:
    'Gives the member the caller’s role, and the caller the role `member`. Both change or neither. Only the new owner can undo it.',
  params: inOrganization,
  body: named('OrganizationTransfer', { userId: Type.String(uuidRules) }),
  bodyExamples: { member: { summary: 'The new owner', value: { userId: '0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01' } } },
  answers: { 204: { description: 'Transferred' } },
  problems: ['permission_exceeds', 'self_change', 'member_unknown', 'last_owner'],
} as const satisfies OperationContract
