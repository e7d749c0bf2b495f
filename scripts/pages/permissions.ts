import { sentenceOf, sentenceOfNeeds } from '../../src/api-docs/openapi.ts'
import { scopeOf, serviceResources } from '../../src/identity/permission-scope.ts'
import type { OperationContract } from '../../src/platform/http/contract.ts'

/** The text of docs/permissions.md: what permissions are, and the permission of every operation. */
export function permissionsPage(contracts: readonly OperationContract[]): string {
  return `# Roles, plans and permissions

Generated from the contracts of the operations by \`npm run generate\`.

A permission is a resource and an action, such as \`users:list\`. Roles and plans grant permissions; grants are rows in the database, not
code. A role is either **for accounts** or **for members** of organizations, never for both. A user has one role for their account, and one role in each of their organizations.

## Where a permission counts

The **scope** of a permission decides which of the user's roles and plans can grant it:

| scope | permissions | role of the account | role in the organization | plan of the account | plan of the organization |
|---|---|---|---|---|---|
| service | \`${serviceResources.join(':*`, `')}:*\` | yes | cannot grant it | cannot grant it | cannot grant it |
| account | \`organization:create\` | yes | cannot grant it | yes | no |
| organization | every other \`organization:*\`, \`billing:*\` | no | in that organization only | no | no |
| product | \`provider_keys:*\`, and every permission of your own, such as \`dns:edit\` | yes | while it is the current organization | yes | while it is the current organization |

- An administrator of an organization is an administrator only there. Database constraints reject a service permission in a plan or in a role for members, whatever
  writes it: the command line, an import, \`muster restore\` or your own SQL. The permission check ignores it too.
- The plans of all subscriptions that are \`active\`, \`trialing\` or \`past_due\` count ([billing.md](billing.md#plans)), and the default plan counts for everyone. [The current organization](organizations.md#the-current-organization) is the one in the request, otherwise the one chosen for the session, otherwise the one that the user joined first.
- \`organization:read\` from the role of an account counts only for [service keys](administration.md#service-keys): an administrator with this permission can grant it to a key.

\`permissions\` in user data shows what counts. Muster never reads it from a token, so a change applies to the next request, on every node.

## Default grants

| permission | scope | lets a caller | granted to |
|---|---|---|---|
${outOfTheBox.map(grantedRow).join('\n')}

You can invent any other resource and action: grant it, and your front end finds it in \`permissions\`. Names consist of lower-case letters, digits
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
muster roles remove editor                      # only if no user, member or invitation has it
muster roles require-mfa admin                  # its grants count only with a second factor
\`\`\`

## Requiring a second factor

After \`muster roles require-mfa <role>\`, the role's grants count only in sessions with a second factor, at sign-in or by step-up; \`--off\` reverts this. Managers of an
organization can require it there, from such a session: \`PUT /api/v1/orgs/{orgId}/security\` with \`{"requiresMfa": true}\`. It then applies to the grants of the organization's roles and plan.

Users without a second factor keep everything else. A request that needs such a permission is 401 \`step_up_required\`; \`permissions\` in user data has only the current grants, and \`?details=true\` adds
\`mfaRequired\`. \`muster doctor\` warns about administrators who sign in with only a password. [decisions/levels.md](decisions/levels.md) has the rules.

## Giving roles

A caller can give, change and remove only roles whose permissions their own role grants in full. So only administrators can change administrators, and only owners can change owners:

- To change the role of a user, the caller’s role must grant everything that the old and the new role grant. To disable or enable a user, to end their
  sessions, to create a recovery link, or to act as them, it must grant everything that the user’s role grants.
- In an organization the same applies to the members’ roles: a caller can neither change nor remove a member whose role grants more, and
  neither create nor revoke an invitation with such a role. An invitation is valid only while its creator could still give its role.
- Only the role of the account counts, or the role in that organization. Plans and other organizations do not count.
- Callers can change their own role only to one that grants less. A member can always leave.
- To create, rotate or revoke a [service key](administration.md#service-keys), the role of the caller’s account must grant everything that the key may do.
- To do anything with a [webhook](webhooks.md) endpoint except listing it, the role must grant reading the data in its events: \`users: read\`, \`organizations: list\`, \`user_data: read\` for subscriptions.

Otherwise the response is 403 \`permission_exceeds\` with \`missing\`, or 403 \`self_change\`. This also applies to permissions that you invent: unless \`admin\`
has the permission, administrators cannot give a role that grants it. The command line and the import are not limited. \`organization:create\` makes
its holder an \`owner\` of the new organization.

Neither the API nor the command line removes the last administrator who can sign in (409 \`last_administrator\`), not even through \`muster grants remove\`: see [administration.md](administration.md#one-user). Each of
these changes is in the [audit log](audit.md); changes by the command line include the user of the operating system.

## What each operation needs

Muster checks the permission before it reads the body. Without a token the response is 401, without the permission 403. An organization
is 404 for callers who are not members, as if it did not exist. If the session needs recent or stronger authentication, the response is 401 \`step_up_required\`:
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
    ['read', 'disable', 'enable', 'change_role', 'rename', 'end_sessions'],
    'read one user, disable, enable, change the role or the display name, end the sessions',
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
