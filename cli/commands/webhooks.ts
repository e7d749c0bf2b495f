import type { Command } from 'commander'
import { uuidPattern } from '../../src/platform/http/formats.ts'
import { Problem } from '../../src/platform/problems.ts'
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
import { Fault } from '../errors.ts'
import { jsonLinesOption, readTime, requireText, wholeNumber } from '../options.ts'
import { note, print, printJson } from '../print.ts'
import { type Column, printRows } from '../table.ts'
import { printsRows, withConfig } from '../with-database.ts'

export function webhooks(group: Command): void {
  group.description(
    'Manage endpoints that receive changes of users, subscriptions and organizations. See docs/webhooks.md.',
  )
  createCommand(group)
  printsRows(group.command('list').description('List all endpoints.'), endpointColumns, listEndpoints)
  changeCommand(group)
  rotateCommand(group)
  group
    .command('remove')
    .description('Remove an endpoint and its deliveries.')
    .argument(...endpointArgument)
    .action((text: string) =>
      withEndpoint(text, async (endpoints, id) => {
        await removeEndpoint(endpoints, 'operator', id)
        print(`Removed the endpoint ${id}.`)
      }),
    )
  deliveryCommands(group)
}

const endpointArgument = ['<id>', 'ID of the endpoint.'] as const
const descriptionOption = ['-d, --description <text>', 'Description, up to 200 characters.'] as const

function createCommand(group: Command): void {
  group
    .command('create')
    .description('Create an endpoint. Its signing secret is printed once.')
    .argument('<url>', 'URL of the endpoint, starting with https://.')
    .argument('<event...>', `Types of events to send, or all: ${eventTypeNames.join(', ')}.`)
    .option(...descriptionOption)
    .option('--json', 'Print the endpoint and its secret as JSON.')
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
    .description('Change, disable or enable an endpoint.')
    .argument(...endpointArgument)
    .option('--url <url>', 'New URL.')
    .option('-e, --events <event...>', 'New types of events, or all.')
    .option(...descriptionOption)
    .option('--disable', 'Stop sending events, and drop queued deliveries.')
    .option('--enable', 'Send events again.')
    .action((text: string, options: ChangeOptions) =>
      withEndpoint(text, async (endpoints, id) => {
        if (options.url !== undefined) requireUrl(options.url, endpoints)
        const { status } = await changeEndpoint(endpoints, 'operator', { id, change: changeOf(options) })
        print(`Changed the endpoint ${id}. It is ${status}.`)
      }),
    )
}

function rotateCommand(group: Command): void {
  group
    .command('rotate')
    .description('Replace the signing secret of an endpoint. The new secret is printed once.')
    .argument(...endpointArgument)
    .option(
      '--overlap <seconds>',
      `Seconds for which the old secret also signs, up to ${secretOverlapSecondsMax}.`,
      wholeNumber(0, secretOverlapSecondsMax),
      secretOverlapSecondsDefault,
    )
    .option('--json', 'Print the endpoint and its secret as JSON.')
    .action((text: string, { overlap, json }: { overlap: number; json?: true }) =>
      withEndpoint(text, async (endpoints, id) =>
        show(await rotateSecret(endpoints, 'operator', { id, overlapSeconds: overlap }), json),
      ),
    )
}

function deliveryCommands(group: Command): void {
  group
    .command('test')
    .description('Send a webhook.test event to an endpoint. The running service sends it.')
    .argument(...endpointArgument)
    .action((text: string) =>
      withEndpoint(text, async ({ database }, id) => {
        await sendTestEvent(database, 'operator', id)
        print('The service sends a test event within seconds. See the result with muster webhooks deliveries.')
      }),
    )
  group
    .command('deliveries')
    .description('List the deliveries of an endpoint, newest first.')
    .argument(...endpointArgument)
    .option(...jsonLinesOption)
    .action((text: string, { json }: { json?: true }) =>
      withEndpoint(text, ({ database }, id) => printRows(streamDeliveries(database, id), deliveryColumns, json)),
    )
  group
    .command('replay')
    .description('Resend one delivery, or all deliveries that failed since a time.')
    .argument(...endpointArgument)
    .argument('[delivery]', 'ID of one delivery.')
    .option('--since <time>', 'Resend everything that failed since this time, such as 2026-01-31T00:00:00Z or 24h.')
    .action((text: string, delivery: string | undefined, { since }: { since?: string }) =>
      withEndpoint(text, async ({ database }, endpointId) => {
        if ((delivery === undefined) === (since === undefined)) throw new Fault('Name either a delivery or --since.')
        const count =
          delivery === undefined
            ? await replayFailed(database, 'operator', { endpointId, since: readTime(since ?? '').toISOString() })
            : await replayDelivery(database, 'operator', { endpointId, deliveryId: requireId(delivery, noDelivery) })
        print(`The service will resend ${count} ${count === 1 ? 'delivery' : 'deliveries'}.`)
      }),
    )
}

const examples = `
Examples:
  muster webhooks create https://product.example.com/muster user.created user.deleted > secret.txt
  muster webhooks create https://crm.example.com/hook all --description 'The CRM'
  muster webhooks replay 0b2f6c1e-5d02-4b1e-9a40-3c5d1e0f7a11 --since 2026-01-31T00:00:00Z`

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
  if (disable && enable) throw new Fault('Use either --disable or --enable.')
  return {
    ...(url !== undefined && { url }),
    ...(events && { events: requireEvents(events) }),
    ...descriptionOf(description),
    ...((disable || enable) && { isEnabled: enable === true }),
  }
}

/** Runs `work` for an endpoint whose ID was typed. */
function withEndpoint(text: string, work: (endpoints: Endpoints, id: string) => Promise<void>): Promise<void> {
  const id = requireId(text, noEndpoint)
  return withEndpoints((endpoints) => work(endpoints, id))
}

function requireId(text: string, fault: string): string {
  const id = text.trim().toLowerCase()
  if (uuidPattern.test(id)) return id
  throw new Fault(fault)
}

const noEndpoint = 'There is no such endpoint. List all endpoints: muster webhooks list'
const noDelivery = 'The endpoint has no such delivery. List its deliveries: muster webhooks deliveries <id>'

/** Turns the problems of endpoints into sentences for the terminal. */
async function withEndpoints(work: (endpoints: Endpoints) => Promise<void>): Promise<void> {
  // Loaded here, because a list of endpoints needs no secrets.
  const { openWebhooks } = await import('../../src/service/open-webhooks.ts')
  await withConfig(async ({ config, database }) => {
    const endpoints = openWebhooks(config, database)
    if (!endpoints) throw new Fault('Set MUSTER_ENCRYPTION_KEY: it encrypts the secrets of webhooks.')
    await work(endpoints).catch(explain)
  })
}

const problemTexts: Readonly<Record<string, string>> = {
  webhook_endpoint_unknown: noEndpoint,
  webhook_delivery_unknown: noDelivery,
  webhook_endpoint_disabled: 'The endpoint is disabled. Enable it: muster webhooks change <id> --enable',
  webhook_endpoints_full: 'The maximum number of endpoints has been reached. Remove an endpoint first.',
}

function explain(error: unknown): never {
  const text = error instanceof Problem ? problemTexts[error.code] : undefined
  throw text === undefined ? error : new Fault(text)
}

function requireUrl(url: string, { settings }: Endpoints): void {
  const fault = urlFault(url, settings)
  if (fault) throw new Fault(`The URL ${fault}.`)
}

function descriptionOf(text: string | undefined): { description?: string } {
  return text === undefined ? {} : { description: requireText(text, 'A description', 200) }
}

function requireEvents(names: readonly string[]): EventTypeName[] {
  if (names.length === 1 && names[0] === 'all') return [...eventTypeNames]
  return [...new Set(names)].map((name) => {
    const known = eventTypeNames.find((one) => one === name)
    if (known) return known
    throw new Fault(`There is no event type ${name}. Types: ${eventTypeNames.join(', ')}.`)
  })
}

/** Prints only the secret to standard output, so that it can be redirected to a file. */
function show(created: WebhookEndpointWithSecret, json: true | undefined): void {
  if (json) printJson(created)
  else print(created.secret)
  if (!json) note(`Events for the endpoint ${created.id} go to ${created.url}.`)
  note('Muster does not show the secret again.')
}
