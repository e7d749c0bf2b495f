import { sentenceOf, sentenceOfNeeds } from '../../src/api-docs/openapi.ts'
import { scopeOf, serviceResources } from '../../src/identity/permission-scope.ts'
import type { OperationContract } from '../../src/platform/http/contract.ts'

/** The text of docs/permissions.md: what permissions are, and the permission of every operation. */
export function permissionsPage(contracts: readonly OperationContract[]): string {
  return `# Roles, plans and permissions

Generated from the contracts of the operations by \`npm run generate\`.

A permission is a resource and an action, such as \`users:list\`. Roles and plans grant permissions; grants are rows in the database, not
code. A role is either **for accounts** or **for members** of organizations, never for both. A user has one role of their account, and one role in each organization that they belong to.

## Where a permission counts

What a permission is about, its **scope**, decides which of the user's roles and plans it counts from:

| scope | permissions | role of the account | role in the organization | plan of the account | plan of the organization |
|---|---|---|---|---|---|
| service | \`${serviceResources.join(':*`, `')}:*\` | yes | cannot grant it | cannot grant it | cannot grant it |
| account | \`organization:create\` | yes | cannot grant it | yes | no |
| organization | every other \`organization:*\`, \`billing:*\` | no | in that organization only | no | no |
| product | \`provider_keys:*\`, and every permission of your own, such as \`dns:edit\` | yes | while it is the current organization | yes | while it is the current organization |

- An administrator of an organization is an administrator there and nowhere else. Constraints of the database refuse a permission of the service for a plan or a role for members, whatever
  writes it: the command line, an import, \`muster restore\` or SQL of yours. The gate does not count it either.
- A plan counts while its subscription is \`active\`, \`trialing\` or \`past_due\`. The current organization is the one that the call names, otherwise the first one joined.
- \`organization:read\` from the role of an account counts for [service keys](administration.md#service-keys) only: an administrator who has it can give it to a key.

\`permissions\` in user data shows what counts. It is never read from a token: a change holds at the next call, on every node.

## What is granted out of the box

| permission | scope | lets a caller | granted to |
|---|---|---|---|
${outOfTheBox.map(grantedRow).join('\n')}

Any other resource and action is your own: grant it, and your front end finds it in \`permissions\`. Names consist of small letters, digits
and \`_\`.

\`\`\`sh
muster grants list
muster roles create support --name Support
muster grants add role support users:list users:read
muster users set-role grace@example.com support
muster grants add plan pro reports:export
muster grants remove plan pro reports:export
muster roles create editor --for-members        # for members: owners can give it in their organization
muster grants add role editor dns:edit
muster roles remove editor                      # only while no account, member or invitation has it
muster roles require-mfa admin                  # what it grants counts only with a second factor
\`\`\`

## Requiring a second factor

What a role grants counts only in sessions that were signed in, or stepped up, with a second factor, once \`muster roles require-mfa <role>\` says so; \`--off\` takes it back. Managers of an
organization require it there, from such a session: \`PUT /api/v1/orgs/{orgId}/security\` with \`{"requiresMfa": true}\`. It then holds for what the roles in the organization and its plan grant.

Users without a second factor keep everything else. A call for such a permission is 401 \`step_up_required\`; \`permissions\` in user data has only what counts now, and \`?details=true\` adds
\`mfaRequired\`. \`muster doctor\` warns of administrators who sign in with a password alone. [decisions/levels.md](decisions/levels.md) has the rules.

## Giving roles

A caller gives, changes and takes away only what their own role grants in full. So administrators are changed by administrators, and owners by owners:

- To change the role of a user, the caller’s role grants everything that the old and the new role grant. To disable or enable a user, to end their
  sessions, to make a recovery link, or to act as them, it grants everything that the role of the user grants.
- In an organization the same holds for the roles of its members there: a member whose role grants more than that of the caller is neither
  changed nor removed, and no invitation with such a role is made or revoked. An invitation is accepted only while its creator holds its role.
- Only the role of the account counts, or the role in that organization. What a plan or another organization grants does not.
- Callers change their own role only to one that grants less. A member can always leave.
- To create, rotate or revoke a [service key](administration.md#service-keys), the role of the caller’s account grants everything that the key may do.
- To do anything with an endpoint of [webhooks](webhooks.md) but to see it in the list, it grants reading what the events tell: \`users: read\`, \`organizations: list\`, \`user_data: read\` for subscriptions.

Otherwise the answer is 403 \`permission_exceeds\`, with \`missing\`, or 403 \`self_change\`. A permission that you invent is no exception: as long as \`admin\` does
not have it, administrators cannot give a role that grants it. The command line and the import are not bound. \`organization:create\` makes
its holder an \`owner\`, of the new organization.

The API keeps the last administrator who can sign in (409 \`last_administrator\`), and so does the command line, also where \`muster grants remove\` would leave none: see [administration.md](administration.md#one-user). Each of
these changes is in the [audit log](audit.md), those of the command line with the user of the operating system.

## What each operation needs

The gate checks the permission before it reads the body. Without a token the answer is 401, without the permission 403; an organization
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

/** Resource, actions, what they let a caller do, and the roles that grant them. */
type GrantedRow = readonly [resource: string, actions: readonly string[], meaning: string, grantedTo: string]

const outOfTheBox: readonly GrantedRow[] = [
  ['provider_keys', ['validate'], 'check a provider key', '`user`, `admin`'],
  ['users', ['list'], 'list users', '`admin`'],
  [
    'users',
    ['read', 'disable', 'enable', 'change_role', 'end_sessions'],
    'read one user, disable, enable, change the role, end the sessions',
    '`admin`',
  ],
  [
    'users',
    ['act_as'],
    '[act as a user](administration.md#act-as-a-user): read what the user can read of their own data, for some minutes',
    '`admin`',
  ],
  ['users', ['erase'], '[delete](decisions/deletion.md) a user', '`admin`'],
  [
    'users',
    ['recover', 'reset_factors'],
    'create a [recovery link](decisions/mail.md#recovery) for a user, including one that removes the second factors',
    '`admin`',
  ],
  ['user_data', ['read'], 'read the data of any user, as the user would get them', '`admin`'],
  ['audit', ['read'], 'read the [audit log](audit.md)', '`admin`'],
  [
    'service_keys',
    ['manage'],
    'list, create, rotate and revoke [service keys](administration.md#service-keys)',
    '`admin`',
  ],
  [
    'webhooks',
    ['manage'],
    'register, change and remove [webhook endpoints](webhooks.md), see their deliveries and replay them',
    '`admin`',
  ],
  ['organizations', ['list'], 'list all organizations', '`admin`'],
  ['roles', ['list'], 'list all roles and what they grant', '`admin`'],
  ['plans', ['list'], 'list all plans, their prices and what they grant', '`admin`'],
  [
    'subscriptions',
    ['read'],
    'read the subscriptions of any user, and the state of [billing](billing.md#administration)',
    '`admin`',
  ],
  [
    'subscriptions',
    ['manage'],
    'link customers to owners, map prices to plans, start a reconciliation. A user with this permission decides what payers get, so grant it as carefully as the role `admin`',
    '`admin`',
  ],
  ['system', ['read'], 'read the state of a node and its settings, without secrets', '`admin`'],
  ['organization', ['create'], 'create an organization', '`admin`'],
  ['organization', ['read'], 'list the [members](organizations.md)', '`owner`, `member`; `admin` for service keys'],
  ['organization', ['manage'], 'invite, change and remove [members](organizations.md)', '`owner`'],
  ['billing', ['manage'], 'buy for the organization and manage its subscriptions', '`owner`'],
]

function grantedRow([resource, actions, meaning, grantedTo]: GrantedRow): string {
  const [first = '', ...more] = actions
  const names = [`${resource}: ${first}`, ...more].map((name) => `\`${name}\``).join(', ')
  return `| ${names} | ${scopeOf({ resource, action: first })} | ${meaning} | ${grantedTo} |`
}
