import type { Command } from 'commander'
import { type Grant, isForServices, serviceGrants } from '../../src/identity/permission-scope.ts'
import type { Rows } from '../../src/platform/database/database.ts'
import { uuidPattern } from '../../src/platform/http/formats.ts'
import {
  type CreatedServiceKey,
  overlapSecondsDefault,
  overlapSecondsMax,
  type ServiceKeyRecord,
  serviceKeyDaysDefault,
  serviceKeyDaysMax,
} from '../../src/service-keys/contract.ts'
import {
  createServiceKey,
  findServiceKeys,
  revokeServiceKey,
  rotateServiceKey,
  streamServiceKeys,
} from '../../src/service-keys/service-keys.ts'
import { Fault } from '../errors.ts'
import { findOrganization } from '../find-organization.ts'
import { requireText, wholeNumber } from '../options.ts'
import { readPermission } from '../permissions.ts'
import { note, print, printJson } from '../print.ts'
import type { Column } from '../table.ts'
import { type CommandContext, printsRows, withDatabase } from '../with-database.ts'

export function serviceKeys(group: Command): void {
  group.description('Manage API keys for programs. See docs/administration.md.')
  group
    .command('create')
    .description('Create a service key. It is printed once; Muster stores only its hash.')
    .argument('<name>', 'Name, up to 100 characters.')
    .argument('<permission...>', `Permissions: ${grantTexts().join(', ')}.`)
    .option(
      '-d, --days <days>',
      `Days until the key expires, up to ${serviceKeyDaysMax}.`,
      wholeNumber(1, serviceKeyDaysMax),
      serviceKeyDaysDefault,
    )
    .option('-o, --org <organization>', 'Limit the key to this organization: name or ID.')
    .option('--json', 'Print the key and its details as JSON.')
    .addHelpText('after', examples)
    .action((name: string, permissions: string[], options: CreateOptions) => {
      const wanted = {
        name: requireText(name, 'The name of a service key', 100),
        grants: permissions.map(requireGrant),
      }
      return withDatabase((context) => create(context, wanted, options))
    })
  const list = group
    .command('list')
    .description('List all service keys, including those that ended in the last 30 days.')
  printsRows(list, columns, streamServiceKeys)
  group
    .command('rotate')
    .description('Replace a service key with a new one that has the same name, permissions and lifetime.')
    .argument('<key>', 'Name or ID.')
    .option(
      '--overlap <seconds>',
      `Seconds for which the old key still works, up to ${overlapSecondsMax}.`,
      wholeNumber(0, overlapSecondsMax),
      overlapSecondsDefault,
    )
    .option('--json', 'Print the key and its details as JSON.')
    .action((which: string, { overlap, json }: { overlap: number; json?: true }) =>
      withDatabase(async ({ database }) => {
        const keyId = await findKey(database, which)
        show(await rotateServiceKey(database, 'operator', { keyId, overlapSeconds: overlap }), json)
      }),
    )
  group
    .command('revoke')
    .description('Revoke a service key. All nodes reject it from now on.')
    .argument('<key>', 'Name or ID.')
    .action((which: string) =>
      withDatabase(async ({ database }) => {
        await revokeServiceKey(database, 'operator', await findKey(database, which))
        print(`Revoked the service key ${which}.`)
      }),
    )
}

const examples = `
Examples:
  muster service-keys create 'Nightly report' users:list user_data:read
  muster service-keys create onboarding provider_keys:validate --days 30 > key.txt
  muster service-keys create partner users:list --org 'Analytical Engines'`

const columns: readonly Column<ServiceKeyRecord>[] = [
  { title: 'NAME', of: ({ name }) => name, widthMin: 12 },
  { title: 'STATUS', of: ({ status }) => status },
  { title: 'EXPIRES', of: ({ expiresAt }) => expiresAt.slice(0, 10) },
  { title: 'LAST USED', of: ({ lastUsedAt }) => lastUsedAt?.slice(0, 10) ?? '' },
  { title: 'PERMISSIONS', of: ({ permissions }) => textsOf(permissions).join(' '), widthMin: 12 },
  { title: 'BEGINS', of: ({ hint }) => hint, isOptional: true },
  { title: 'ID', of: ({ id }) => id, isOptional: true },
]

interface CreateOptions {
  readonly days: number
  readonly org?: string
  readonly json?: true
}

interface Wanted {
  readonly name: string
  readonly grants: readonly Grant[]
}

async function create({ database }: CommandContext, wanted: Wanted, { days, org, json }: CreateOptions): Promise<void> {
  const organizationId = org === undefined ? undefined : (await findOrganization(database, org)).id
  show(await createServiceKey(database, 'operator', { ...wanted, expiresInDays: days, organizationId }), json)
}

/** Prints only the key to standard output, so that it can be redirected to a file. */
function show(created: CreatedServiceKey, json: true | undefined): void {
  if (json) printJson(created)
  else print(created.key)
  if (!json) note(`The service key ${created.name} (${created.id}) expires ${created.expiresAt}.`)
  note('Muster does not show the key again.')
}

async function findKey(rows: Rows, which: string): Promise<string> {
  const id = which.trim().toLowerCase()
  const [key] = await findServiceKeys(rows, uuidPattern.test(id) ? { id } : { name: which })
  if (!key) throw new Fault(`There is no service key ${which}. List all keys: muster service-keys list`)
  return key.id
}

function requireGrant(text: string): Grant {
  const grant = readPermission(text)
  if (isForServices(`${grant.resource}:${grant.action}`)) return grant
  throw new Fault(
    `A service key cannot have the permission ${text}. Available permissions: ${grantTexts().join(', ')}.`,
  )
}

function grantTexts(): readonly string[] {
  return textsOf(serviceGrants)
}

function textsOf(permissions: Readonly<Record<string, readonly string[] | undefined>>): readonly string[] {
  return Object.entries(permissions).flatMap(([resource, actions = []]) =>
    actions.map((action) => `${resource}:${action}`),
  )
}
