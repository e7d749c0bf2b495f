import { sentenceOf, sentenceOfNeeds } from '../../src/api-docs/openapi.ts'
import type { OperationContract } from '../../src/platform/http/contract.ts'

/** The text of docs/permissions.md: what permissions are, and the permission of every operation. */
export function permissionsPage(contracts: readonly OperationContract[]): string {
  return `# Roles, plans and permissions

Generated from the contracts of the operations by \`npm run generate\`.

A permission is a resource and an action, such as \`users:list\`. Roles and plans grant permissions; grants are rows in the database, not
code. A caller has every permission that is granted by

- the role of the account,
- the role in the current organisation,
- the plan of the account and the plan of the current organisation, while the subscription is \`active\`, \`trialing\` or \`past_due\`.

\`permissions\` in user data shows them. They are never read from a token: a change holds at the next call, on this node at once and on
every other node a tenth of a second later, or after \`MUSTER_FRESHNESS_SECONDS\` where the network fails silently.

## What is granted out of the box

| permission | lets a caller | granted to |
|---|---|---|
| \`provider_keys: validate\` | check a credential of a provider | \`user\`, \`admin\` |
| \`users: list\` | list users | \`admin\` |
| \`users: read\`, \`disable\`, \`enable\`, \`change_role\`, \`end_sessions\` | read one user, disable, enable, change the role, end the sessions | \`admin\` |
| \`users: act_as\` | [act as a user](administration.md#act-as-a-user): read for minutes what the user reads of their own | \`admin\` |
| \`users: erase\` | [erase](decisions/erasure.md) a user | \`admin\` |
| \`user_data: read\` | read the data of any user, as the user would get them | \`admin\` |
| \`audit: read\` | read the [audit trail](audit.md) | \`admin\` |
| \`service_keys: manage\` | list, create, rotate and revoke [service keys](service-keys.md) | \`admin\` |
| \`webhooks: manage\` | register, change and remove [endpoints of webhooks](webhooks.md), see their deliveries and replay them | \`admin\` |
| \`users: recover\`, \`reset_factors\` | make a [recovery link](decisions/recovery.md) for a user; one that removes the second factors too | \`admin\` |
| \`organizations: list\` | list all organisations | \`admin\` |
| \`roles: list\` | list all roles and what they grant | \`admin\` |
| \`plans: list\` | list all plans, their prices and what they grant | \`admin\` |
| \`subscriptions: read\` | read the subscriptions of any user, and the state of [billing](billing.md#administration) | \`admin\` |
| \`subscriptions: manage\` | say whose a customer is, map prices to plans, start a reconciliation. Who has it decides what payers get: give it like the role \`admin\` | \`admin\` |
| \`system: read\` | read the state of a node and its settings, without secrets | \`admin\` |
| \`organization: create\` | create an organisation | \`admin\` |
| \`organization: read\`, \`manage\` | list the members, manage them; [only in the organisation itself](organisations.md). \`admin\` has read to give it to service keys | \`owner\` (\`member\`, \`admin\`: read) |
| \`billing: manage\` | buy for the organisation and manage what it pays | \`owner\` |

Any other resource and action is your own: grant it, and your front end finds it in \`permissions\`. Names consist of small letters, digits
and \`_\`.

\`\`\`sh
muster grants list
muster roles create support --name Support
muster grants add role support users:list users:read
muster users set-role grace@example.com support
muster grants add plan pro reports:export
muster grants remove plan pro reports:export
muster roles create billing --for-members       # owners may give it in their organisation
muster roles remove billing                     # only while no account or membership has it
muster roles require-mfa admin                  # what it grants counts only with a second factor
\`\`\`

## Requiring a second factor

What a role grants counts only in sessions that were signed in, or stepped up, with a second factor, once \`muster roles require-mfa <role>\` says so; \`--off\` takes it back. Managers of an
organisation require it there, from such a session: \`PUT /api/v1/orgs/{orgId}/security\` with \`{"requiresMfa": true}\`. It then holds for what the roles in the organisation and its plan grant.

Users without a second factor keep everything else. A call for such a permission is 401 \`step_up_required\`; \`permissions\` in user data has only what counts now, and \`?details=true\` adds
\`mfaRequired\`. \`muster doctor\` warns of administrators who sign in with a password alone. [decisions/levels.md](decisions/levels.md) has the rules.

## Giving roles

A caller gives, changes and takes away only what their own role grants in full. So administrators are changed by administrators, and owners by owners:

- To change the role of a user, the caller’s role grants everything that the old and the new role grant. To disable or enable a user, to end their
  sessions, to make a recovery link, or to act as them, it grants everything that the role of the user grants.
- In an organisation the same holds for the roles of its members there: a member whose role grants more than that of the caller is neither
  changed nor removed, and no invitation with such a role is made or revoked. An invitation is accepted only while its creator holds its role.
- Only the role of the account counts, or the role in that organisation. What a plan or another organisation grants does not.
- Callers change their own role only to one that grants less. A member can always leave.
- To create, rotate or revoke a [service key](service-keys.md), the role of the caller’s account grants everything that the key may do.
- To register or change an endpoint of [webhooks](webhooks.md), it grants reading what the events tell: \`users: read\`, \`organizations: list\`, \`user_data: read\` for subscriptions.

Otherwise the answer is 403 \`permission_exceeds\`, with \`missing\`, or 403 \`self_change\`. A permission that you invent is no exception: as long as \`admin\` does
not have it, administrators cannot give a role that grants it. The command line and the import are not bound. \`organization:create\` makes
its holder an \`owner\`, of the new organisation.

The API keeps the last administrator (409 \`last_administrator\`), and so does the command line, also where \`muster grants remove\` would leave none. Each of
these changes is in the [audit trail](audit.md), those of the command line with the user of the operating system.

## What each operation needs

The gate checks the permission before it reads the body. Without a token the answer is 401, without the permission 403; an organisation
of which the caller is no member answers 404, as if it did not exist. Where the session must have proved more, and has not, it is 401 \`step_up_required\`:
[decisions/levels.md](decisions/levels.md).

| operation | permission | meaning |
|---|---|---|
${contracts.map(rowOf).join('\n')}
`
}

function rowOf({ method, path, permission, needs }: OperationContract): string {
  return `| \`${method} ${path}\` | \`${permission}\` | ${[sentenceOf(permission), ...(needs ? [sentenceOfNeeds(needs)] : [])].join(' ')} |`
}
