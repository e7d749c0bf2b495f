import { isForServices } from '../identity/permission-scope.ts'
import {
  type AnswerContract,
  actAsParameter,
  actedByHeaders,
  deprecationHeaderSchemas,
  deprecationNote,
  type Needs,
  type OperationContract,
  type Permission,
} from '../platform/http/contract.ts'
import { problemAnswer } from '../platform/http/problem-answer.ts'
import { ProblemBody, problemsOf } from '../platform/http/problem-body.ts'
import { Problem, type ProblemCode, problems } from '../platform/problems.ts'
import { createComponents, type Json, type Share, sharedAll, type Tools } from './components.ts'

/** A webhook that the service sends to an endpoint. */
interface Message {
  readonly type: string
  readonly meaning: string
  readonly body: unknown
  readonly example: unknown
}

/** A provider in the document. */
interface ListedProvider {
  readonly id: string
  readonly title: string
  readonly certainty: string
  readonly keyTypes: readonly {
    readonly keyType: string
    readonly label: string
    readonly email: string
    readonly asked: string
  }[]
}

/** The contracts as one OpenAPI 3.1 document: every operation with its examples and all its statuses. */
export function openapiDocument(
  contracts: readonly OperationContract[],
  version: string,
  { providers, messages }: { readonly providers: readonly ListedProvider[]; readonly messages: readonly Message[] },
): Json {
  const { parts, ...tools } = createComponents()
  const { hoist } = tools
  const paths: Record<string, Record<string, Json>> = {}
  for (const contract of contracts) {
    const methods = paths[contract.path] ?? {}
    methods[contract.method.toLowerCase()] = operationOf(contract, tools)
    paths[contract.path] = methods
  }
  hoist(ProblemBody)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Muster',
      version,
      summary: 'Who is calling, who the users are, and whether a DNS or CDN provider’s key works.',
      description: apiDescription,
      contact: { name: 'The operator of this installation' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The server of this document.' }],
    tags: [...new Set(contracts.map(({ tag }) => tag))].map((name) => ({
      name,
      description: name === 'Provider keys' ? describeProviders(providers) : tagDescriptions[name],
    })),
    paths,
    webhooks: Object.fromEntries(messages.map((message) => [message.type, { post: messageOf(message, tools) }])),
    components: {
      ...parts,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'An access token of a known issuer.',
        },
        serviceKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A service key of a program, with the permission of the operation.',
        },
        metricsToken: { type: 'http', scheme: 'bearer', description: 'The token set as `MUSTER_METRICS_TOKEN`.' },
      },
    },
  }
}

/** From the receiver's view: OpenAPI 3.1 describes the request that Muster sends and the response that it expects. */
function messageOf({ type, meaning, body, example }: Message, { hoist, share }: Tools): Json {
  return {
    operationId: `webhook.${type}`,
    summary: meaning,
    security: [],
    parameters: Object.entries(messageHeaders).map(([name, description]) =>
      share('parameters', name, { name, in: 'header', required: true, description, schema: { type: 'string' } }),
    ),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: hoist(body), examples: { event: { summary: meaning, value: example } } },
      },
    },
    responses: sharedAll(share, 'responses', messageResponses),
  }
}

const messageHeaders = {
  'webhook-id': 'The id of the event, the same in every attempt.',
  'webhook-timestamp': 'When this attempt was signed, in seconds since 1970.',
  'webhook-signature':
    'Signatures of Standard Webhooks, `v1,…`, separated by spaces. At least one is made with your secret.',
}

const messageResponses = {
  '2XX': { description: 'Accepted. Muster retries after any other response, and after 15 seconds without a response.' },
  '410': { description: 'The endpoint is gone. Muster disables it.' },
}

const apiDescription = `**A first answer.** With the built-in issuer, on the machine of the service (elsewhere take its address, and a sign-in:
[Signing in](/docs/guide/signing-in)):

\`\`\`sh
TOKEN=$(npx muster token --email admin@muster.local)
curl localhost:4600/api/v1/user/data -H "Authorization: Bearer $TOKEN"
\`\`\`

On this page, put the token into the field *Bearer Token*, and *Test Request* calls an operation.

Callers send an access token of a known issuer as \`Authorization: Bearer …\`, programs a service key. Every failure is an
\`application/problem+json\` (RFC 9457): decide by its \`code\`, which [Problems](/docs/guide/problems) explains. Versions under \`/api/v1\` only grow; ignore members that you do not know.

[The guide](/docs/guide) has the rest of the documentation.`

/** CommonMark. */
function describeProviders(providers: readonly ListedProvider[]): string {
  const rows = providers.flatMap(({ id, title, keyTypes, certainty }) =>
    keyTypes.map(
      ({ keyType, label, email, asked }) =>
        `| \`${id}\` | ${title} | \`${keyType}\` | ${label} | ${email} | \`${asked}\` | ${certainty} |`,
    ),
  )
  return `${tagDescriptions['Provider keys']} The providers, the request that a check makes first, and how certain its interpretation is:

| provider | title | keyType | what it is | email | asked | certainty |
|---|---|---|---|---|---|---|
${rows.join('\n')}`
}

const tagDescriptions: Readonly<Record<string, string>> = {
  Account: 'Data of the caller.',
  Administration: 'Manage users.',
  Organizations: 'Organizations and their members.',
  'Provider keys': 'Check provider keys.',
  Billing: 'Buy and manage plans.',
  Webhooks: 'For payment processors.',
  'Built-in issuer': 'Sign in at the built-in issuer.',
  Console: 'The web console: its page, its files and its session.',
  Operation: 'For operators of the service.',
}

function securityOf(permission: Permission): readonly Json[] {
  if (permission === 'public') return []
  if (permission === 'metrics-token') return [{ metricsToken: [] }]
  return isForServices(permission) ? [{ bearer: [] }, { serviceKey: [] }] : [{ bearer: [] }]
}

export function sentenceOf(permission: Permission): string {
  if (permission === 'public') return 'Public: no token required.'
  if (permission === 'metrics-token') return 'Requires the metrics token.'
  if (permission === 'caller') return 'For every user.'
  if (permission === 'member in {orgId}') return 'For members of the organization.'
  const [grant, scope] = permission.split(' in ')
  const services = isForServices(permission) ? ' Service keys can have it.' : ''
  return `Requires the permission \`${grant}\`${scope === undefined ? '' : ' from the role in this organization'}.${services}`
}

/** The required level of the session as a sentence. */
export function sentenceOfNeeds({ aal, maxAgeSeconds, proofInBody }: Needs): string {
  const factor = aal === undefined ? '' : ' with a second factor'
  const age = maxAgeSeconds === undefined ? '' : ` within ${maxAgeSeconds / 60} minutes`
  if (aal === 'factor' && proofInBody) return `If the user has a second factor, requires a sign-in${factor}${age}.`
  return `Requires a sign-in${factor}${aal === 'factor' ? ', if the user has one,' : ''}${age}.`
}

function operationOf(contract: OperationContract, tools: Tools): Json {
  const { hoist } = tools
  const { id, tag, summary, description, permission, needs, deprecated, actAs, body, bodyExamples } = contract
  const moreHeaders = { ...(deprecated && deprecationHeaderSchemas), ...(actAs && actedByHeaders) }
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [
      description,
      sentenceOf(permission),
      ...(needs ? [sentenceOfNeeds(needs)] : []),
      ...(deprecated ? [deprecationNote(deprecated)] : []),
    ].join(' '),
    ...(deprecated && { deprecated: true, 'x-sunset': deprecated.sunset }),
    security: securityOf(permission),
    'x-permission': permission,
    ...(needs && { 'x-needs': needs }),
    parameters: parametersOf(contract, tools),
    ...(body && {
      requestBody: {
        required: !contract.isBodyOptional,
        content: { 'application/json': { schema: hoist(body), examples: bodyExamples } },
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(contract.answers).map(([status, answer]) => [
          status,
          answerOf({ ...answer, headers: { ...answer.headers, ...moreHeaders } }, tools),
        ]),
      ),
      ...problemResponses(problemsOf(contract).filter(isProblemCode), tools.share),
    },
  }
}

function parametersOf({ params, query, headers, actAs }: OperationContract, { hoist, share }: Tools): readonly Json[] {
  const of = (location: 'path' | 'query' | 'header', group: OperationContract['query']) =>
    Object.entries(group?.properties ?? {}).map(([name, schema]) =>
      share('parameters', name, {
        name,
        in: location,
        required: group?.required?.includes(name) ?? false,
        ...('description' in schema && { description: schema.description }),
        schema: hoist(schema),
      }),
    )
  const header = { ...actAsParameter, in: 'header', required: false }
  const acting = actAs ? [share('parameters', header.name, header)] : []
  return [...of('path', params), ...of('query', query), ...of('header', headers), ...acting]
}

/**
 * A request without `Accept` gets JSON, but generated clients expect every type in `content`. Therefore the other
 * formats are in a separate member.
 */
function answerOf({ description, content = {}, headers }: AnswerContract, { hoist, share }: Tools): Json {
  const all = Object.entries(content).map(([type, { schema, examples }]) => [type, { schema: hoist(schema), examples }])
  const byDefault = all.filter(([type]) => !Object.hasOwn(content, json) || type === json)
  const onRequest = all.filter((entry) => !byDefault.includes(entry))
  return {
    description,
    headers: sharedAll(share, 'headers', { ...headers, 'X-Request-Id': requestIdHeader }),
    ...(byDefault.length > 0 && { content: Object.fromEntries(byDefault) }),
    ...(onRequest.length > 0 && { 'x-content-by-accept': Object.fromEntries(onRequest) }),
  }
}

const json = 'application/json'

/** One response per status, with one example per problem code. */
function problemResponses(codes: readonly ProblemCode[], share: Share): Json {
  const statuses = new Set(codes.map((code) => problems[code].status))
  return Object.fromEntries(
    [...statuses].map((status) => {
      const group = [...new Set(codes)].filter((code) => problems[code].status === status)
      return [status, share('responses', String(status), problemResponse(status, group, share))]
    }),
  )
}

function problemResponse(status: number, codes: readonly ProblemCode[], share: Share): Json {
  const mayRetry = status === 429 || status === 503
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}`).join(' '),
    headers: sharedAll(share, 'headers', {
      'X-Request-Id': requestIdHeader,
      ...(status === 401 && { 'WWW-Authenticate': { description: 'RFC 6750 §3.', schema: { type: 'string' } } }),
      ...(mayRetry && { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer', minimum: 1 } } }),
    }),
    content: {
      'application/problem+json': {
        schema: { allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: codes } } }] },
        examples: sharedAll(share, 'examples', examplesOf(codes)),
      },
    },
  }
}

function examplesOf(codes: readonly ProblemCode[]): Json {
  return Object.fromEntries(codes.map((code) => [code, { summary: problems[code].title, value: exampleOf(code) }]))
}

function exampleOf(code: ProblemCode): unknown {
  return JSON.parse(problemAnswer(new Problem(code), '6f1c0f0e-6e52-4b0c-9a43-0b8f5c2f9d11').body)
}

const requestIdHeader = { description: 'The id of this request in the log.', schema: { type: 'string' } }

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problems, code)
}
