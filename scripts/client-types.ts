import { problemOfMember } from '../src/platform/http/problem-body.ts'

interface Reference {
  readonly $ref?: string
}

/** The part of OpenAPI that src/api-docs/openapi.ts writes. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}
interface Operation {
  readonly summary: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content; readonly required?: boolean }
  readonly responses: Readonly<Record<string, Response>>
}
interface Parameter extends Reference {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema: Schema
}
interface Response extends Reference {
  readonly content?: Content
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>
interface Schema extends Reference {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly description?: string
}

/** The text of client/src/api.ts, the types of the client: `Schemas` by name and `Operations` by method and path. */
export function clientTypes(openapiText: string): string {
  const document: Document = JSON.parse(openapiText)
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) =>
    member(name, typeOf(schema), true, schema.description),
  )
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      member(`${method.toUpperCase()} ${path}`, operationType(operation, document), true, operation.summary),
    ),
  )
  return `// Generated from openapi.json by scripts/client-types.ts.

/** The shapes of the contract, by name. */
export interface Schemas {
${schemas.join('\n')}
}

/** The inputs and outputs of each operation, by method and path. */
export interface Operations {
${operations.join('\n')}
}

${problemTypes}`
}

function operationType({ parameters = [], requestBody, responses }: Operation, document: Document): string {
  const all = parameters.map((parameter) => referred(parameter, document))
  const params = (['path', 'query', 'header'] as const).flatMap((place) => {
    const found = all.filter((parameter) => parameter.in === place)
    if (found.length === 0) return []
    const members = found.map(({ name, schema, required = false }) =>
      member(name, typeOf(schema), required, schema.description),
    )
    return member(place, braced(members), isAnyRequired(found))
  })
  const body = requestBody?.content['application/json']?.schema
  const input = [
    ...(params.length > 0 ? [member('params', braced(params), isAnyRequired(all))] : []),
    ...(body ? [member('body', typeOf(body), requestBody?.required === true)] : []),
  ]
  const answers = Object.entries(responses).map(([status, response]) => {
    const { content = {} } = referred(response, document)
    return { status: Number(status), content }
  })
  const data = answers.flatMap(({ status, content }) => (status < 300 ? dataOf(content) : []))
  const codes = answers.flatMap(({ status, content }) => (status < 400 ? [] : codesOf(content)))
  return braced([
    member('input', input.length > 0 ? braced(input) : 'unknown'),
    member('data', [...new Set(data)].join(' | ')),
    member('problem', `Problem<${codes.map((code) => `'${code}'`).join(' | ') || 'never'}>`),
  ])
}

function isAnyRequired(parameters: readonly Parameter[]): boolean {
  return parameters.some(({ required }) => required)
}

function dataOf(content: Content): string {
  const json = content['application/json']
  if (json) return typeOf(json.schema)
  return Object.keys(content).length > 0 ? 'string' : 'undefined'
}

/** The codes of the problems with one status. */
function codesOf(content: Content): readonly string[] {
  const schema = content['application/problem+json']?.schema ?? {}
  const own = schema.allOf?.filter(({ $ref }) => $ref === undefined) ?? [schema]
  return own.flatMap(({ properties }) => properties?.code?.enum ?? []).map(String)
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return `Schemas['${schema.$ref.split('/').at(-1)}']`
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.map((choice) => inParentheses(typeOf(choice))).join(' | ')
  if (schema.allOf) return schema.allOf.map((part) => inParentheses(typeOf(part))).join(' & ')
  const types = [schema.type ?? (schema.properties ? 'object' : 'unknown')].flat()
  return types.map((type) => plainType(type, schema)).join(' | ')
}

function plainType(type: string, schema: Schema): string {
  if (type === 'array') return `${inParentheses(typeOf(schema.items ?? {}))}[]`
  if (type === 'integer') return 'number'
  if (type !== 'object') return type
  const members = Object.entries(schema.properties ?? {}).map(([name, property]) =>
    member(name, typeOf(property), schema.required?.includes(name) === true, property.description),
  )
  const others = [schema.additionalProperties, ...Object.values(schema.patternProperties ?? {})].find(
    (other) => typeof other === 'object',
  )
  if (others) members.push(`[name: string]: ${members.length > 0 ? 'unknown' : typeOf(others)}`)
  if (members.length === 0) return `Record<string, ${schema.properties ? 'never' : 'unknown'}>`
  return braced(members)
}

function braced(members: readonly string[]): string {
  return `{\n${members.join('\n')}\n}`
}

function inParentheses(type: string): string {
  return type.includes(' ') ? `(${type})` : type
}

function member(name: string, type: string, isRequired = true, description = ''): string {
  const comment = description === '' ? '' : `/** ${description.replaceAll('*/', '* /')} */\n`
  return `${comment}${/^\w+$/.test(name) ? name : `'${name}'`}${isRequired ? '' : '?'}: ${type}`
}

/** Resolves a `$ref`; returns any other value unchanged. */
function referred<T extends Reference>(value: T, document: Document): T {
  const steps = value.$ref?.slice('#/'.length).split('/') ?? []
  const step = (found: unknown, name: string) => Object.entries(Object(found)).find(([key]) => key === name)?.[1]
  // Trust boundary: in our own document a reference leads to a value of the same kind.
  return steps.length === 0 ? value : (steps.reduce<unknown>(step, document) as T)
}

const membersOfOne = Object.entries(problemOfMember).map(([name, code]) => `  ${name}: '${code}'`)
const problemTypes = `/** Members that only the problem with this code has. */
interface ProblemOfMember {
${membersOfOne.join('\n')}
}

type AnyProblem = Schemas['Problem']

export type ProblemCode = AnyProblem['code']

/** A union by \`code\`: to compare it narrows the problem. */
export type Problem<Code extends ProblemCode = ProblemCode> = {
  [C in Code]: Omit<AnyProblem, 'code' | keyof ProblemOfMember> & { code: C } & Pick<
      AnyProblem,
      { [M in keyof ProblemOfMember]: C extends ProblemOfMember[M] ? M : never }[keyof ProblemOfMember]
    >
}[Code]
`
