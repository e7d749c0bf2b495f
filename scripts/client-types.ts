import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import ts from 'typescript'
import { problemOfMember } from '../src/platform/http/problem-body.ts'

/** The text of `client/src/api.ts`: the types of every operation of the OpenAPI document. */
export async function clientTypes(openapiText: string): Promise<string> {
  const document: OpenAPI3 = JSON.parse(openapiText, plain)
  const nodes = await openapiTS(document, { transform: problemType })
  return `// Generated from openapi.json by \`npm run generate\`.\n\n${astToString(nodes)}\n${problemTypes()}`
}

/** Without what no type follows from, and with the codes of a problem in a member that `problemType` finds. */
function plain(name: string, value: unknown): unknown {
  if (name === 'responses' && isObject(value)) return Object.fromEntries(Object.entries(value).map(withoutHeaders))
  if (!isObject(value) || !('allOf' in value)) return value
  const codes = codesOf(value.allOf)
  return codes === undefined ? value : { type: 'object', [problemCodes]: codes }
}

const problemCodes = 'x-problem-codes'

/** The type of the problems of one status: `Problem<'token_missing' | 'token_expired'>`. */
function problemType(schema: object): ts.TypeNode | undefined {
  const codes: unknown = problemCodes in schema ? schema[problemCodes] : undefined
  if (!Array.isArray(codes)) return undefined
  const { factory } = ts
  const literals = codes.map((code) => factory.createLiteralTypeNode(factory.createStringLiteral(code, true)))
  return factory.createTypeReferenceNode('Problem', [factory.createUnionTypeNode(literals)])
}

/** The description of a problem repeats the titles of its codes. */
function withoutHeaders([status, response]: [string, unknown]): [string, unknown] {
  if (!isObject(response)) return [status, response]
  const { headers: _, description = '', ...rest } = Object.assign({ headers: {}, description: '' }, response)
  return [status, { ...rest, description: Number(status) >= 400 ? '' : description }]
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function codesOf(parts: unknown): readonly string[] | undefined {
  if (!Array.isArray(parts) || parts[0]?.$ref !== '#/components/schemas/Problem') return undefined
  return parts[1]?.properties?.code?.enum
}

function problemTypes(): string {
  const members = Object.entries(problemOfMember).map(([member, code]) => `  ${member}: '${code}'`)
  return `/** Members that only the problem with this code has. */
interface ProblemOfMember {
${members.join('\n')}
}

type AnyProblem = components['schemas']['Problem']

export type ProblemCode = AnyProblem['code']

/** A union by \`code\`: to compare it narrows the problem. */
export type Problem<Code extends ProblemCode = ProblemCode> = {
  [C in Code]: Omit<AnyProblem, 'code' | keyof ProblemOfMember> & { code: C } & Pick<
      AnyProblem,
      { [M in keyof ProblemOfMember]: C extends ProblemOfMember[M] ? M : never }[keyof ProblemOfMember]
    >
}[Code]
`
}
