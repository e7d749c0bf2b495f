import Type from 'typebox'
import { type ProblemCode, problems } from '../problems.ts'
import { type OperationContract, organizationParameter } from './contract.ts'

/** The body of a problem (RFC 9457). */
export const ProblemBody = Type.Object(
  {
    type: Type.String({ description: 'Link to the documentation of this code.' }),
    title: Type.String({ description: 'Fixed for each code.' }),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    code: Type.Enum(Object.keys(problems), {
      description: 'Stable. Clients decide by this member. Later releases may add codes.',
    }),
    detail: Type.Optional(Type.String({ description: 'Explanation for people.' })),
    instance: Type.String({ description: 'ID of this request, as in the log and in the header X-Request-Id.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Union([
          Type.Object({
            pointer: Type.String({ description: 'JSON Pointer (RFC 6901) into the body.' }),
            detail: Type.String(),
          }),
          Type.Object({ parameter: Type.String(), detail: Type.String() }),
        ]),
        { description: 'All invalid inputs.' },
      ),
    ),
    missing: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), {
        description: 'Of `permission_exceeds`: actions by resource that the caller’s own role does not grant.',
      }),
    ),
    scope: Type.Optional(
      Type.Union([Type.Literal('account'), Type.Literal('network')], {
        description: 'Of `sign_in_wait`: which limit was reached, that of the email or that of the network.',
      }),
    ),
    ways: Type.Optional(
      Type.Array(Type.Enum(['known_device', 'second_factor', 'recovery']), {
        description: 'Of `sign_in_wait`: how to sign in without waiting.',
      }),
    ),
    needs: Type.Optional(
      Type.Object(
        {
          acrValues: Type.Optional(Type.String({ description: 'Required level: `urn:muster:aal2`.' })),
          maxAgeSeconds: Type.Optional(Type.Integer({ description: 'Maximum time since the user authenticated.' })),
        },
        { description: 'Of `step_up_required`: the required authentication.' },
      ),
    ),
    challenge: Type.Optional(
      Type.String({
        description:
          'Of `account_erasing`: cancels the deletion with `POST /auth/account/keep`. Valid for five minutes.',
      }),
    ),
    factors: Type.Optional(
      Type.Array(Type.Object({ id: Type.String(), type: Type.String(), friendlyName: Type.String() }), {
        description:
          'Of `account_erasing`: one of these factors, or a recovery code, is required to cancel the deletion.',
      }),
    ),
    passkey: Type.Optional(
      Type.Object(
        { options: Type.Record(Type.String(), Type.Unknown()) },
        { description: 'Of `account_erasing`: options for the browser, if one of the factors is a passkey.' },
      ),
    ),
    erasesAt: Type.Optional(Type.String({ description: 'Of `account_erasing`: time of the deletion, RFC 3339.' })),
  },
  { $id: 'Problem' },
)

/** Maps a member to the only code whose problem has the member. */
export const problemOfMember = {
  missing: 'permission_exceeds',
  scope: 'sign_in_wait',
  ways: 'sign_in_wait',
  needs: 'step_up_required',
} as const satisfies Partial<Record<keyof typeof ProblemBody.properties, ProblemCode>>

/** Codes of all problems of an operation: those listed in its contract, and those that follow from its method and permission. */
export function problemsOf(contract: OperationContract): readonly string[] {
  const { method, permission, anyHost, needs, actAs, query } = contract
  const namesOrganization = query?.properties.orgId === organizationParameter.orgId || permission.endsWith('in {orgId}')
  const hasCaller = permission !== 'public' && permission !== 'metrics-token'
  return [
    ...new Set([
      ...commonProblems,
      ...(method === 'GET' ? [] : bodyProblems),
      ...(method === 'GET' && permission === 'public' && !anyHost ? ['rate_limited'] : []),
      ...(hasCaller ? callerProblems : []),
      ...(permission.includes(':') ? ['permission_missing', 'step_up_required'] : []),
      ...(namesOrganization ? ['organization_unknown'] : []),
      ...(needs ? ['step_up_required'] : []),
      ...(actAs ? actAsProblems : []),
      ...(contract.problems ?? []),
    ]),
  ]
}

/** Problems of every operation. */
const commonProblems = [
  'request_malformed',
  'input_invalid',
  'host_invalid',
  'host_unknown',
  'internal_error',
  'overloaded',
  'shutting_down',
  'headers_too_large',
] as const

/** Problems of every operation with a token. */
const callerProblems = [
  'token_missing',
  'token_malformed',
  'token_invalid',
  'token_expired',
  'session_ended',
  'account_disabled',
  'password_change_required',
  'account_removed',
  'account_unknown',
  'caller_not_a_person',
  'act_as_read_only',
  'issuer_unavailable',
  'rate_limited',
  'database_unavailable',
  'read_only',
] as const

/** Problems of operations that an administrator can call while acting as a user. */
const actAsProblems = ['act_as_ended', 'permission_missing', 'permission_exceeds', 'step_up_required'] as const

/** Problems of every operation that may get a body, even if it needs none. */
const bodyProblems = ['body_malformed', 'body_too_large', 'content_type_unsupported', 'request_timeout'] as const
