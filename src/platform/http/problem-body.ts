import Type from 'typebox'
import { type ProblemCode, problems } from '../problems.ts'
import type { OperationContract } from './contract.ts'

/** RFC 9457. Clients decide by `code`; `detail` is for people. */
export const ProblemBody = Type.Object(
  {
    type: Type.String({ description: 'A link to what this code means.' }),
    title: Type.String({ description: 'Fixed per code.' }),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    code: Type.Enum(Object.keys(problems), {
      description: 'Stable. What clients decide by. A later release may add codes.',
    }),
    detail: Type.Optional(Type.String({ description: 'For a person.' })),
    instance: Type.String({ description: 'The id of this request, as in the log and in the header X-Request-Id.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Union([
          Type.Object({ pointer: Type.String({ description: 'RFC 6901, into the body.' }), detail: Type.String() }),
          Type.Object({ parameter: Type.String(), detail: Type.String() }),
        ]),
        { description: 'Every fault of the input.' },
      ),
    ),
    missing: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), {
        description:
          'Of `permission_exceeds`: from each resource to the actions that the role or service key has and the caller’s own role does not grant.',
      }),
    ),
    scope: Type.Optional(
      Type.Union([Type.Literal('account'), Type.Literal('network')], {
        description: 'Of `sign_in_wait`: what has no attempts left, the e-mail address or the network.',
      }),
    ),
    ways: Type.Optional(
      Type.Array(Type.Enum(['known_device', 'second_factor', 'recovery']), {
        description: 'Of `sign_in_wait`: how to sign in before the wait is over.',
      }),
    ),
    needs: Type.Optional(
      Type.Object(
        {
          acrValues: Type.Optional(Type.String({ description: 'The level: `urn:muster:aal2`.' })),
          maxAgeSeconds: Type.Optional(Type.Integer({ description: 'The longest time since the user authenticated.' })),
        },
        { description: 'Of `step_up_required`: what the session must have proved.' },
      ),
    ),
    challenge: Type.Optional(
      Type.String({
        description: 'Of `account_erasing`: keeps the account, by `POST /auth/account/keep`, for five minutes.',
      }),
    ),
    factors: Type.Optional(
      Type.Array(Type.Object({ id: Type.String(), type: Type.String(), friendlyName: Type.String() }), {
        description: 'Of `account_erasing`: one of these is needed to keep the account, or a recovery code.',
      }),
    ),
    passkey: Type.Optional(
      Type.Object(
        { options: Type.Record(Type.String(), Type.Unknown()) },
        { description: 'Of `account_erasing`: for the browser, where one of the factors is a passkey.' },
      ),
    ),
    erasesAt: Type.Optional(Type.String({ description: 'Of `account_erasing`: until when it can be kept. RFC 3339.' })),
  },
  { $id: 'Problem' },
)

/** Members that only the problem with this code has. */
export const problemOfMember = {
  missing: 'permission_exceeds',
  scope: 'sign_in_wait',
  ways: 'sign_in_wait',
  needs: 'step_up_required',
} as const satisfies Partial<Record<keyof typeof ProblemBody.properties, ProblemCode>>

/**
 * Codes of all problems that an operation can answer: those that its contract names, and those that follow from its method, its permission
 * and what else the contract says.
 */
export function problemsOf(contract: OperationContract): readonly string[] {
  const { method, permission, anyHost, needs, actAs } = contract
  const hasCaller = permission !== 'public' && permission !== 'metrics-token'
  return [
    ...new Set([
      ...anywhereProblems,
      ...(method === 'GET' ? [] : bodyProblems),
      ...(method === 'GET' && permission === 'public' && !anyHost ? ['rate_limited'] : []),
      ...(hasCaller ? callerProblems : []),
      ...(permission.includes(':') ? ['permission_missing', 'step_up_required'] : []),
      ...(permission.endsWith('in {orgId}') ? ['organization_unknown'] : []),
      ...(needs ? ['step_up_required'] : []),
      ...(actAs ? actAsProblems : []),
      ...(contract.problems ?? []),
    ]),
  ]
}

/** What any operation can answer, whatever it does. */
const anywhereProblems = [
  'request_malformed',
  'input_invalid',
  'host_invalid',
  'host_unknown',
  'internal_error',
  'overloaded',
  'shutting_down',
  'headers_too_large',
] as const

/** What any operation that asks for a token can answer. */
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

/** What an operation can answer to an administrator who acts as the caller. */
const actAsProblems = ['act_as_ended', 'permission_missing', 'permission_exceeds', 'step_up_required'] as const

/** What any operation can answer to a body, also to one that it does not ask for. */
const bodyProblems = ['body_malformed', 'body_too_large', 'content_type_unsupported', 'request_timeout'] as const
