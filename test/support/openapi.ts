import { readFileSync } from 'node:fs'

/** One operation as `openapi.json` describes it to callers. */
export interface DocumentedOperation {
  readonly id: string
  readonly method: string
  /** With placeholders: `/api/v1/admin/users/{userId}`. */
  readonly path: string
  /** `public`, `metrics-token`, `caller`, `member in {orgId}`, or a permission such as `users:list`. */
  readonly permission: string
  /** What the permission grants; absent without a colon in it. */
  readonly grant: { readonly resource: string; readonly action: string } | undefined
  readonly isInOrganization: boolean
  /** Whether it needs the token of a user or of a service key. */
  readonly needsCaller: boolean
  readonly needs:
    | { readonly aal?: 2 | 'factor'; readonly maxAgeSeconds?: number; readonly proofInBody?: boolean }
    | undefined
  /** Whether administrators can call it while they act as a user. */
  readonly actAs: boolean
  readonly body:
    | { readonly isRequired: boolean; readonly members: readonly string[]; readonly example: unknown }
    | undefined
  readonly parameters: readonly { readonly name: string; readonly in: string }[]
  /** Each promised status with its problem codes; a success has none. */
  readonly answers: readonly { readonly status: number; readonly codes: readonly string[] }[]
}

interface Described {
  readonly operationId: string
  readonly 'x-permission': string
  readonly 'x-needs'?: NonNullable<DocumentedOperation['needs']>
  readonly parameters: readonly Reference[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: { readonly 'application/json': { readonly schema: Reference; readonly examples?: object } }
  }
  readonly responses: Readonly<Record<string, Reference>>
}

interface Reference {
  readonly $ref?: string
}

/** The committed document, which `npm run check` holds to the contracts. */
export const openapi = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))

export const operations: readonly DocumentedOperation[] = Object.entries(
  openapi.paths as Readonly<Record<string, Readonly<Record<string, Described>>>>,
).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => operationOf(method.toUpperCase(), path, described)),
)

/** The path with an id in place of each placeholder. */
export function pathOf(
  { path }: Pick<DocumentedOperation, 'path'>,
  ids: Readonly<Record<string, string>> = {},
): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? unknownId)
}

/** A UUID that nothing has. */
export const unknownId = '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f'

function operationOf(method: string, path: string, described: Described): DocumentedOperation {
  const permission = described['x-permission']
  const [, resource, action] = /^(\w+):(\w+)/.exec(permission) ?? []
  const parameters = described.parameters.map((one) => resolved<{ name: string; in: string }>(one))
  return {
    id: described.operationId,
    method,
    path,
    permission,
    grant: resource === undefined || action === undefined ? undefined : { resource, action },
    isInOrganization: permission.endsWith(' in {orgId}'),
    needsCaller: permission !== 'public' && permission !== 'metrics-token',
    needs: described['x-needs'],
    actAs: parameters.some(({ name }) => name === 'Act-As'),
    body: bodyOf(described.requestBody),
    parameters,
    answers: Object.entries(described.responses).map(([status, answer]) => ({
      status: Number(status),
      codes: codesOf(resolved(answer)),
    })),
  }
}

function bodyOf(body: Described['requestBody']): DocumentedOperation['body'] {
  if (!body) return undefined
  const { schema, examples = {} } = body.content['application/json']
  const { properties = {} } = resolved<{ properties?: object }>(schema)
  const [example]: { value: unknown }[] = Object.values(examples).map((one) => resolved(one))
  return { isRequired: body.required, members: Object.keys(properties), example: example?.value }
}

function codesOf(answer: { content?: Readonly<Record<string, { examples?: object }>> }): readonly string[] {
  return Object.keys(answer.content?.['application/problem+json']?.examples ?? {})
}

function resolved<Shape>(value: Reference): Shape {
  const at = value.$ref?.slice('#/'.length).split('/') ?? []
  return at.length === 0 ? (value as Shape) : at.reduce((part, name) => part[name], openapi)
}
