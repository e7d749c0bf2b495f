import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import { allContracts } from '../../src/contracts.ts'
import type { OperationContract } from '../../src/platform/http/contract.ts'
import { formats } from '../../src/platform/http/formats.ts'
import { ProblemBody, problemsOf } from '../../src/platform/http/problem-body.ts'
import { noteAnswer } from './guarantees.ts'
import type { Answer } from './http-client.ts'

const ajv = new Ajv2020({ strict: true, formats: { ...formats } })

/** Holds an answer to what the operation promised: status, type, body and the headers that every answer has. */
export function checkAnswer(method: string, path: string, answer: Answer): void {
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
  expect(answer.headers['cache-control']).toBeDefined()
  const contract = contractAt(method, path)
  if (contract) noteAnswer(contract.id, { status: answer.status, ...codeOf(answer) })
  if (method === 'HEAD') return
  if (answer.status >= 400) checkProblem(contract, answer)
  else if (contract) checkContent(contract, answer)
}

function codeOf({ status, body }: Answer): { readonly code?: string } {
  return status >= 400 && typeof body === 'object' && body !== null && 'code' in body ? { code: String(body.code) } : {}
}

function contractAt(method: string, path: string): OperationContract | undefined {
  const plain = decodeURI(new URL(`http://x${path}`).pathname)
  return patterns.find(({ contract, pattern }) => contract.method === method && pattern.test(plain))?.contract
}

const patterns = allContracts.map((contract) => ({
  contract,
  pattern: new RegExp(`^${contract.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

function checkProblem(contract: OperationContract | undefined, { status, headers, body }: Answer): void {
  expect(headers['content-type']).toBe('application/problem+json; charset=utf-8')
  const validate = ajv.getSchema('Problem') ?? ajv.compile(ProblemBody)
  expect(validate(body), JSON.stringify(validate.errors)).toBe(true)
  const problem = body as { status: number; code: string; instance: string }
  expect(problem.status).toBe(status)
  expect(problem.instance).toBe(`urn:uuid:${headers['x-request-id']}`)
  const promised: readonly string[] = contract ? problemsOf(contract) : transportProblems
  expect([...promised, ...transportProblems], `${contract?.id} does not promise ${problem.code}`).toContain(
    problem.code,
  )
  if (status === 401) expect(headers['www-authenticate']).toMatch(/^Bearer /)
}

/** What is answered before it is known which operation was meant. */
const transportProblems = [
  'route_unknown',
  'method_not_allowed',
  'method_unknown',
  'uri_too_long',
  'headers_too_large',
  'request_malformed',
  'host_invalid',
  'host_unknown',
  'expectation_failed',
]

function checkContent(contract: OperationContract, { status, headers, body, text }: Answer): void {
  const promised = contract.answers[status]
  expect(promised, `${contract.id} does not promise ${status}`).toBeDefined()
  if (promised && !promised.content) {
    expect(text, `${contract.id} promises ${status} without a body`).toBe('')
    return
  }
  const [type = ''] = String(headers['content-type']).split(';')
  const content = promised?.content?.[type]
  if (!content) throw new Error(`${contract.id} does not promise ${status} ${type}: ${text.slice(0, 500)}`)
  const validate = validatorOf(content.schema)
  const value = /[/+]json$/.test(type) ? body : text
  expect(validate(value), `${contract.id}: ${JSON.stringify(validate.errors)} in ${text.slice(0, 500)}`).toBe(true)
}

/** Compiled once for each schema: hundreds of answers are held to the same one. */
function validatorOf(schema: object): ValidateFunction {
  const known = validators.get(schema)
  if (known) return known
  const validate = ajv.compile(withoutId(schema))
  validators.set(schema, validate)
  return validate
}

const validators = new WeakMap<object, ValidateFunction>()

/** Ajv takes an `$id` once only, and a schema may stand in the answers of several operations. */
function withoutId(schema: unknown): object {
  return JSON.parse(JSON.stringify(schema, (name, value) => (name === '$id' ? undefined : value)))
}
