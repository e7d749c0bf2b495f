import type { Command } from 'commander'
import type { Rows } from '../../src/platform/database/database.ts'
import { uuidPattern } from '../../src/platform/http/formats.ts'
import { Problem } from '../../src/platform/problems.ts'
import { openWebhooks } from '../../src/service/encryption.ts'
import {
  type ListedWebhookEndpoint,
  secretOverlapSecondsDefault,
  secretOverlapSecondsMax,
  type WebhookEndpointWithSecret,
} from '../../src/webhooks/contract.ts'
import { replayDelivery, replayFailed, sendTestEvent, streamDeliveries } from '../../src/webhooks/deliveries.ts'
import type { WebhookDelivery } from '../../src/webhooks/deliveries-contract.ts'
import {
  changeEndpoint,
  createEndpoint,
  type Endpoints,
  listEndpoints,
  removeEndpoint,
  rotateSecret,
} from '../../src/webhooks/endpoints.ts'
import { type EventTypeName, eventTypeNames } from '../../src/webhooks/event-types.ts'
import { urlFault } from '../../src/webhooks/target.ts'
import { Fault } from '../fault.ts'
import { note, print, printJson } from '../print.ts'
import { type Column, printRows } from '../table.ts'
import { type CommandContext, withDatabase } from '../with-database.ts'

export function webhooks(program: Command): void {
  const group = program
    .command('webhooks')
    .description('Endpoints that get the changes of users, subscriptions and organisations. See docs/webhooks.md.')
  createCommand(group)
  group
    .command('list')
    .description('List the endpoints.')
    .option('--json', 'One JSON object per line, on a terminal too.')
    .action(({ json }: { json?: true }) =>
      withDatabase(({ database }) => printRows(linesOfEndpoints(database), endpointColumns, json)),
    )
  changeCommand(group)
  rotateCommand(group)
  group
    .command('remove')
    .description('Remove an endpoint, with its deliveries.')
    .argument('<id>', 'Its id.')
    .action((text: string) =>
      withEndpoint(text, async (endpoints, id) => {
        await removeEndpoint(endpoints, 'operator', id)
        print(`Removed the endpoint ${id}.`)
      }),
    )
  deliveryCommands(group)
}

function createCommand(group: Command): void {
  group
    .command('create')
    .description('Register an endpoint. Its signing secret is printed once.')
    .argument('<url>', 'Its address, which begins with https://.')
    .argument('<event...>', `The types of events that it gets, or all: ${eventTypeNames.join(', ')}.`)
    .option('-d, --description <text>', 'What the endpoint is, of up to 200 characters.')
    .option('--json', 'Print the endpoint with its secret as JSON.')
    .addHelpText('after', examples)
    .action((url: string, events: string[], { description, json }: { description?: string; json?: true }) => {
      const wanted = { url, events: requireEvents(events), ...descriptionOf(description) }
      return withEndpoints(async (endpoints) => {
        requireUrl(url, endpoints)
        show(await createEndpoint(endpoints, 'operator', wanted), json)
      })
    })
}

function changeCommand(group: Command): void {
  group
    .command('change')
    .description('Change an endpoint, disable it or enable it.')
    .argument('<id>', 'Its id.')
    .option('--url <url>', 'Its new address.')
    .option('-e, --events <event...>', 'The types of events that it gets from now on, or all.')
    .option('-d, --description <text>', 'What the endpoint is, of up to 200 characters.')
    .option('--disable', 'Send nothing to it any more, and give up what waits.')
    .option('--enable', 'Send events to it again.')
    .action((text: string, options: ChangeOptions) =>
      withEndpoint(text, async (endpoints, id) => {
        if (options.url !== undefined) requireUrl(options.url, endpoints)
        const { status } = await changeEndpoint(endpoints, 'operator', { id, change: changeOf(options) })
        print(`Changed the endpoint ${id}: it is ${status}.`)
      }),
    )
}

function rotateCommand(group: Command): void {
  group
    .command('rotate')
    .description('Replace the signing secret of an endpoint. The new one is printed once.')
    .argument('<id>', 'Its id.')
    .option(
      '--overlap <seconds>',
      `How long the secret before signs, too, up to ${secretOverlapSecondsMax}.`,
      String(secretOverlapSecondsDefault),
    )
    .option('--json', 'Print the endpoint with its secret as JSON.')
    .action((text: string, { overlap, json }: { overlap: string; json?: true }) => {
      const overlapSeconds = requireOverlap(overlap)
      return withEndpoint(text, async (endpoints, id) =>
        show(await rotateSecret(endpoints, 'operator', { id, overlapSeconds }), json),
      )
    })
}

function deliveryCommands(group: Command): void {
  group
    .command('test')
    .description('Send the event webhook.test to an endpoint. The running service sends it.')
    .argument('<id>', 'Its id.')
    .action((text: string) =>
      withEndpoint(text, async ({ database }, id) => {
        await sendTestEvent(database, 'operator', id)
        print('The service sends a test event within seconds: muster webhooks deliveries shows what came of it.')
      }),
    )
  group
    .command('deliveries')
    .description('List the deliveries of an endpoint, newest first.')
    .argument('<id>', 'Its id.')
    .option('--json', 'One JSON object per line, on a terminal too.')
    .action((text: string, { json }: { json?: true }) =>
      withEndpoint(text, ({ database }, id) => printRows(streamDeliveries(database, id), deliveryColumns, json)),
    )
  group
    .command('replay')
    .description('Send again one delivery, or all that failed since a time.')
    .argument('<id>', 'The id of the endpoint.')
    .argument('[delivery]', 'The id of one delivery.')
    .option('--since <time>', 'Everything that failed since then: such as 2026-01-31T00:00:00Z.')
    .action((text: string, delivery: string | undefined, { since }: { since?: string }) =>
      withEndpoint(text, async ({ database }, endpointId) => {
        if ((delivery === undefined) === (since === undefined)) throw new Fault('Name a delivery or --since.')
        const count =
          delivery === undefined
            ? await replayFailed(database, 'operator', { endpointId, since: requireTime(since) })
            : await replayDelivery(database, 'operator', { endpointId, deliveryId: requireId(delivery, noDelivery) })
        print(`${count} ${count === 1 ? 'delivery' : 'deliveries'} will be sent again.`)
      }),
    )
}

const examples = `
Examples:
  muster webhooks create https://product.example.com/muster user.created user.deleted > secret.txt
  muster webhooks create https://crm.example.com/hook all --description 'The CRM'
  muster webhooks replay 0b2f6c1e-5d02-4b1e-9a40-3c5d1e0f7a11 --since 2026-01-31T00:00:00Z`

async function* linesOfEndpoints(rows: Rows): AsyncGenerator<readonly string[]> {
  yield (await listEndpoints(rows)).map((endpoint) => JSON.stringify(endpoint))
}

const endpointColumns: readonly Column<ListedWebhookEndpoint>[] = [
  { title: 'ID', of: ({ id }) => id },
  {
    title: 'STATUS',
    of: ({ status, disabledBecause }) => (disabledBecause ? `${status}: ${disabledBecause}` : status),
  },
  { title: 'HOST', of: ({ host }) => host, widthMin: 12 },
  { title: 'EVENTS', of: ({ events }) => events.join(' '), widthMin: 12 },
  { title: 'DESCRIPTION', of: ({ description = '' }) => description, widthMin: 12, isOptional: true },
]

const deliveryColumns: readonly Column<WebhookDelivery>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'STATE', of: ({ state }) => state },
  { title: 'EVENT', of: ({ type }) => type },
  { title: 'TRIES', of: ({ tries }) => String(tries) },
  { title: 'ANSWER', of: ({ status, fault }) => fault ?? String(status ?? '') },
  { title: 'CREATED', of: ({ createdAt }) => createdAt.slice(0, 19) },
  { title: 'SUBJECT', of: ({ subject }) => subject, isOptional: true },
]

interface ChangeOptions {
  readonly url?: string
  readonly events?: string[]
  readonly description?: string
  readonly disable?: true
  readonly enable?: true
}

function changeOf({ url, events, description, disable, enable }: ChangeOptions) {
  if (disable && enable) throw new Fault('An endpoint is either disabled or enabled.')
  return {
    ...(url !== undefined && { url }),
    ...(events && { events: requireEvents(events) }),
    ...descriptionOf(description),
    ...((disable || enable) && { isEnabled: enable === true }),
  }
}

/** With the id that a person has written. */
function withEndpoint(text: string, work: (endpoints: Endpoints, id: string) => Promise<void>): Promise<void> {
  const id = requireId(text, noEndpoint)
  return withEndpoints((endpoints) => work(endpoints, id))
}

function requireId(text: string, fault: string): string {
  const id = text.trim().toLowerCase()
  if (uuidPattern.test(id)) return id
  throw new Fault(fault)
}

const noEndpoint = 'There is no such endpoint: list them with muster webhooks list.'
const noDelivery = 'The endpoint has no such delivery: list them with muster webhooks deliveries.'

/** What a command does with endpoints; their faults are those of its user. */
async function withEndpoints(work: (endpoints: Endpoints) => Promise<void>): Promise<void> {
  await withDatabase((context) => work(endpointsOf(context)).catch(explain))
}

function endpointsOf({ config, database }: CommandContext): Endpoints {
  const endpoints = openWebhooks(config, database)
  if (endpoints) return endpoints
  throw new Fault('Webhooks need MUSTER_ENCRYPTION_KEY, which encrypts their secrets.')
}

function explain(error: unknown): never {
  if (error instanceof Problem && error.code === 'webhook_endpoint_unknown') throw new Fault(noEndpoint)
  if (error instanceof Problem && error.code === 'webhook_delivery_unknown') throw new Fault(noDelivery)
  if (error instanceof Problem && error.code === 'webhook_endpoint_disabled')
    throw new Fault('The endpoint is disabled: enable it with muster webhooks change --enable.')
  if (error instanceof Problem && error.code === 'webhook_endpoints_full')
    throw new Fault('There are as many endpoints as there may be: remove one.')
  throw error
}

function requireUrl(url: string, { settings }: Endpoints): void {
  const fault = urlFault(url, settings)
  if (fault) throw new Fault(`The address ${fault}.`)
}

function descriptionOf(text: string | undefined): { description?: string } {
  if (text === undefined) return {}
  const description = text.trim()
  if (description === '' || description.length > 200) throw new Fault('A description has 1 to 200 characters.')
  return { description }
}

function requireEvents(names: readonly string[]): EventTypeName[] {
  if (names.length === 1 && names[0] === 'all') return [...eventTypeNames]
  return [...new Set(names)].map((name) => {
    const known = eventTypeNames.find((one) => one === name)
    if (known) return known
    throw new Fault(`There is no event ${name}, only: ${eventTypeNames.join(', ')}.`)
  })
}

function requireOverlap(text: string): number {
  const seconds = Number(text)
  if (/^\d{1,6}$/.test(text) && seconds <= secretOverlapSecondsMax) return seconds
  throw new Fault(`--overlap must be a whole number from 0 to ${secretOverlapSecondsMax}.`)
}

function requireTime(text = ''): string {
  const at = new Date(text)
  if (/^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(at.getTime())) return at.toISOString()
  throw new Fault('--since must be a time such as 2026-01-31T00:00:00Z.')
}

/** The secret alone on standard output, so that it can be written to a file. */
function show(created: WebhookEndpointWithSecret, json: true | undefined): void {
  if (json) printJson(created)
  else print(created.secret)
  if (!json) note(`The endpoint ${created.id} sends to ${created.url}.`)
  note('Muster does not show the secret again.')
}
