import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { openapiText } from '../../cli/commands/openapi.ts'
import { infoOf, readProviders } from '../../key-check/engine/catalogue.ts'
import { allContracts } from '../../src/contracts.ts'
import { formats } from '../../src/platform/http/formats.ts'
import { problemsOf } from '../../src/platform/http/problem-body.ts'
import { type ProblemCode, problems } from '../../src/platform/problems.ts'
import { dereferenced } from '../../tools/release/contract-changes.js'

const text = await openapiText()
const document: Document = dereferenced(JSON.parse(text))

/** The members of the document that the tests read. */
interface Document {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
}
interface OperationObject {
  readonly operationId: string
  readonly requestBody?: { readonly content: Contents }
  readonly responses: Readonly<Record<string, ResponseObject>>
}
interface ResponseObject {
  readonly content?: Contents
  readonly 'x-content-by-accept'?: Contents
}
type Contents = Readonly<Record<string, { readonly schema: object; readonly examples?: Examples }>>
type Examples = Readonly<Record<string, { readonly value: unknown }>>

// Registers the document as one schema, so that its internal references resolve.
const ajv = new Ajv2020({ strict: false, inlineRefs: false, formats: { ...formats } }).addSchema({
  ...document,
  $id: 'document',
})

const contents = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) => contentsOf(['paths', path, method], operation)),
)

function contentsOf(place: readonly string[], { requestBody, responses }: OperationObject) {
  const of = (inside: readonly string[], found: Contents = {}) =>
    Object.entries(found).map(([type, { examples = {} }]) => {
      const steps = [...place, ...inside, type]
      return { steps, name: steps.slice(1).join(' '), examples: Object.entries(examples) }
    })
  return [
    ...of(['requestBody', 'content'], requestBody?.content),
    ...Object.entries(responses).flatMap(([status, response]) =>
      (['content', 'x-content-by-accept'] as const).flatMap((member) =>
        of(['responses', status, member], response[member]),
      ),
    ),
  ]
}

test('lists every provider with key types, its use of the email, the request it makes and its certainty', async () => {
  const { description = '' } = document.tags.find(({ name }) => name === 'Provider keys') ?? {}
  for (const { id, title, keyTypes, certainty } of [...(await readProviders()).values()].map(infoOf))
    for (const { keyType, label, email, asked } of keyTypes)
      expect(description).toContain(
        `| \`${id}\` | ${title} | \`${keyType}\` | ${label} | ${email} | \`${asked}\` | ${certainty} |`,
      )
})

test('patterns mean the same with and without the flag u, and need no lookbehind', () => {
  const patterns = [
    ...new Set(
      [...text.matchAll(/"pattern": ?("(?:[^"\\]|\\.)*")/g)].map(([, quoted]) => String(JSON.parse(quoted ?? ''))),
    ),
  ]
  expect(patterns.length).toBeGreaterThan(0)
  for (const pattern of patterns) {
    expect(pattern).not.toMatch(/\\[pP]\{|\(\?</)
    const [plain, unicode] = [new RegExp(pattern), new RegExp(pattern, 'u')]
    const samples = [
      'Phone',
      'My p{Cc} key',
      'Zürich 電話 👩‍👩‍👧',
      ' x',
      'x ',
      'a\u0000b',
      'a\u202eb',
      'a\u200bb',
      'a\ue000',
    ]
    for (const sample of samples) expect(plain.test(sample), `${pattern} ${sample}`).toBe(unicode.test(sample))
  }
})

test('info names a contact and states what clients can rely on', () => {
  expect(JSON.parse(text).info).toMatchObject({
    contact: { name: expect.any(String) },
    description: expect.stringMatching(/problem\+json/),
  })
})

describe('every body has valid examples', () => {
  test.each(contents)('$name', ({ steps, examples }) => {
    expect(examples).not.toEqual([])
    const pointer = [...steps, 'schema'].map((step) => encodeURIComponent(escaped(step))).join('/')
    const validate = ajv.compile({ $ref: `document#/${pointer}` })
    for (const [name, { value }] of examples)
      expect(validate(value), `${name}: ${ajv.errorsText(validate.errors)}`).toBe(true)
  })
})

test('every operation documents its success and its errors', () => {
  for (const { operationId, responses } of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const statuses = Object.keys(responses)
    expect(
      statuses.some((status) => status.startsWith('2')),
      operationId,
    ).toBe(true)
    expect(statuses, operationId).toContain('500')
    for (const [status, { content }] of Object.entries(responses))
      if (!['204', '303', '304'].includes(status)) expect(content, `${operationId} ${status}`).toBeDefined()
  }
})

test('shared problems, headers and parameters are listed once, under components', () => {
  const { paths, components } = JSON.parse(text)
  const places = JSON.stringify(paths).match(/"#\/components\/(responses|parameters|headers|examples)\/[^"]+"/g) ?? []
  expect(places.length).toBeGreaterThan(1_000)
  expect(JSON.stringify(paths)).not.toContain('application/problem+json')
  for (const kind of ['responses', 'parameters', 'headers', 'examples']) {
    const parts = Object.values(components[kind]).map((part) => JSON.stringify(part))
    expect(new Set(parts).size, kind).toBe(parts.length)
  }
})

test('lists exactly the codes that each operation can return with each status', () => {
  for (const contract of allContracts) {
    const { id, path, method } = contract
    const responses = document.paths[path]?.[method.toLowerCase()]?.responses ?? {}
    const codes = new Set(problemsOf(contract))
    for (const [status, { content }] of Object.entries(responses).filter(([status]) => status >= '400')) {
      const possible = [...codes].filter((code) => isProblemCode(code) && problems[code].status === Number(status))
      expect(content?.['application/problem+json'], `${id} ${status}`).toMatchObject({
        schema: { allOf: [{ $ref: '#/components/schemas/Problem' }, { properties: { code: { enum: possible } } }] },
      })
      for (const code of possible) codes.delete(code)
    }
    expect([...codes], id).toEqual([])
  }
})

test('generated clients expect only JSON where an operation returns JSON by default', () => {
  const { content, 'x-content-by-accept': others } =
    document.paths['/api/v1/admin/users/fetch']?.get?.responses[200] ?? {}
  expect(Object.keys(content ?? {})).toEqual(['application/json'])
  expect(Object.keys(others ?? {})).toEqual(['application/x-ndjson', 'text/csv'])
})

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problems, code)
}

/** RFC 6901 §3. */
function escaped(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1')
}

test('every input schema compiles in strict mode, because the service compiles it at the first such input', () => {
  const strict = new Ajv2020({ strict: true, validateSchema: true, formats: { ...formats } })
  for (const { id, params, query, body } of allContracts)
    for (const schema of [params, query, body]) if (schema) expect(() => strict.compile(schema), id).not.toThrow()
})
