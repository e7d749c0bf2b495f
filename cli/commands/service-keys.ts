import type { Command } from 'commander'
import type { Grant } from '../../src/identity/authorize.ts'
import { isForServices, serviceGrants } from '../../src/identity/service-grants.ts'
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
import { Fault } from '../fault.ts'
import { readPermission } from '../permission.ts'
import { note, print, printJson } from '../print.ts'
import { type Column, printRows } from '../table.ts'
import { type CommandContext, withDatabase } from '../with-database.ts'
import { findOrganization } from './orgs.ts'

export function serviceKeys(program: Command): void {
  const group = program.command('service-keys').description('Keys by which programs call. See docs/administration.md.')
  group
    .command('create')
    .description('Create a service key. It is printed once; only its hash is stored.')
    .argument('<name>', 'Its name, of up to 100 characters.')
    .argument('<permission...>', `What it may do: ${grantTexts().join(', ')}.`)
    .option('-d, --days <days>', `Days until it expires, up to ${serviceKeyDaysMax}.`, String(serviceKeyDaysDefault))
    .option('-o, --org <organisation>', 'Name or id of the one organisation that it reads.')
    .option('--json', 'Print the key with its record as JSON.')
    .addHelpText('after', examples)
    .action((name: string, permissions: string[], options: CreateOptions) => {
      const wanted = { name: requireName(name), grants: permissions.map(requireGrant), days: requireDays(options.days) }
      return withDatabase((context) => create(context, wanted, options))
    })
  group
    .command('list')
    .description('List service keys, also those that ended within the last 30 days.')
    .option('--json', 'One JSON object per line, on a terminal too.')
    .action(({ json }: { json?: true }) =>
      withDatabase(({ database }) => printRows(streamServiceKeys(database), columns, json)),
    )
  group
    .command('rotate')
    .description('Replace a service key by a new one with the same name, permissions and lifetime.')
    .argument('<key>', 'Name or id.')
    .option('--overlap <seconds>', 'How long the old key still works, up to 604800.', String(overlapSecondsDefault))
    .option('--json', 'Print the key with its record as JSON.')
    .action((which: string, { overlap, json }: { overlap: string; json?: true }) => {
      const overlapSeconds = requireWhole(overlap, { option: '--overlap', min: 0, max: overlapSecondsMax })
      return withDatabase((context) => rotate(context, which, { overlapSeconds, json }))
    })
  group
    .command('revoke')
    .description('Revoke a service key: from now on no node accepts it.')
    .argument('<key>', 'Name or id.')
    .action((which: string) => withDatabase((context) => revoke(context, which)))
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
  { title: 'MAY', of: ({ permissions }) => textsOf(permissions).join(' '), widthMin: 12 },
  { title: 'BEGINS', of: ({ hint }) => hint, isOptional: true },
  { title: 'ID', of: ({ id }) => id, isOptional: true },
]

interface CreateOptions {
  readonly days: string
  readonly org?: string
  readonly json?: true
}

interface Wanted {
  readonly name: string
  readonly grants: readonly Grant[]
  readonly days: number
}

async function create({ database }: CommandContext, wanted: Wanted, { org, json }: CreateOptions): Promise<void> {
  const { name, grants, days: expiresInDays } = wanted
  const organizationId = org === undefined ? undefined : (await findOrganization(database, org)).id
  show(await createServiceKey(database, 'operator', { name, grants, expiresInDays, organizationId }), json)
}

async function rotate(
  { database }: CommandContext,
  which: string,
  { overlapSeconds, json }: { overlapSeconds: number; json: true | undefined },
): Promise<void> {
  const keyId = await findKey(database, which)
  show(await rotateServiceKey(database, 'operator', { keyId, overlapSeconds }), json)
}

async function revoke({ database }: CommandContext, which: string): Promise<void> {
  await revokeServiceKey(database, 'operator', await findKey(database, which))
  print(`Revoked the service key ${which}.`)
}

/** The key alone on standard output, so that it can be written to a file. */
function show(created: CreatedServiceKey, json: true | undefined): void {
  if (json) printJson(created)
  else print(created.key)
  if (!json) note(`The service key ${created.name} (${created.id}) expires ${created.expiresAt}.`)
  note('Muster does not show the key again.')
}

async function findKey(rows: Rows, which: string): Promise<string> {
  const id = which.trim().toLowerCase()
  const [key] = await findServiceKeys(rows, uuidPattern.test(id) ? { id } : { name: which })
  if (!key) throw new Fault(`There is no service key ${which}: list them with muster service-keys list.`)
  return key.id
}

function requireName(text: string): string {
  const name = text.trim()
  if (name === '' || name.length > 100) throw new Fault('The name of a service key has 1 to 100 characters.')
  return name
}

function requireGrant(text: string): Grant {
  const grant = readPermission(text)
  if (isForServices(`${grant.resource}:${grant.action}`)) return grant
  throw new Fault(`A service key cannot have ${text}, only: ${grantTexts().join(', ')}.`)
}

function requireDays(text: string): number {
  return requireWhole(text, { option: '--days', min: 1, max: serviceKeyDaysMax })
}

function requireWhole(text: string, { option, min, max }: { option: string; min: number; max: number }): number {
  const value = Number(text)
  if (/^\d{1,6}$/.test(text) && value >= min && value <= max) return value
  throw new Fault(`${option} must be a whole number from ${min} to ${max}.`)
}

function grantTexts(): readonly string[] {
  return textsOf(serviceGrants)
}

function textsOf(permissions: Readonly<Record<string, readonly string[] | undefined>>): readonly string[] {
  return Object.entries(permissions).flatMap(([resource, actions = []]) =>
    actions.map((action) => `${resource}:${action}`),
  )
}
