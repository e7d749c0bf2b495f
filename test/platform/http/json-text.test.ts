import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { allContracts } from '../../../src/contracts.ts'
import { ambiguitiesOf } from '../../../src/platform/http/json-text.ts'
import { type Service, startService } from '../../support/service.ts'

let service: Service
beforeAll(async () => {
  // With it buying is offered too.
  service = await startService({ env: { STRIPE_SECRET_KEY: 'sk_test_never_used' } })
  return () => service.stop()
})

const pointers = (text: string) => {
  JSON.parse(text)
  return ambiguitiesOf(text).map((fault) => ('pointer' in fault ? fault.pointer : fault.parameter))
}

test.each([
  ['{"a":1,"a":2}', ['/a']],
  ['{"a":1,"\\u0061":2}', ['/a']],
  ['{"":1,"":2}', ['/']],
  ['{"a":{"b":[{}, {"c":1,"d":[],"c":2}]}}', ['/a/b/1/c']],
  ['{"a~/b":1 , "a~/b" : 2, "a~/b":3}', ['/a~0~1b', '/a~0~1b']],
  ['{"__proto__":1,"__proto__":2}', ['/__proto__']],
  ['{"a":"\\ud800"}', ['/a']],
  ['{"a":["x","\\udfff"]}', ['/a/1']],
  ['{"a":"\\ude00\\ud83d"}', ['/a']],
  ['"\\ud800"', ['']],
  // Not ambiguous
  ['{"a":"b","b":"a","c":{"a":1},"d":[{"a":1},{"a":1}]}', []],
  ['{"a":"\\ud83d\\ude00 😀 \\\\ud800"}', []],
  ['["a","a",{"x":"{\\"a\\":1,\\"a\\":2}"}]', []],
])('of %s each member that readers understand differently is named', (text, expected) => {
  expect(pointers(text)).toEqual(expected)
})

test('what JSON.stringify writes has one meaning, and one member more than once is found wherever it is', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.string(), (value, name) => {
      expect(ambiguitiesOf(JSON.stringify(value))).toEqual([])
      const member = `${JSON.stringify(name)}:${JSON.stringify(value)}`
      expect(ambiguitiesOf(`[0,{${member},${member}}]`)).toHaveLength(1)
    }),
  )
})

test('at most 20 faults are named, and a name only in part', () => {
  const [first, ...others] = ambiguitiesOf(`{${Array.from({ length: 30 }, () => `"${'n'.repeat(500)}":1`).join(',')}}`)
  expect(others).toHaveLength(19)
  expect(JSON.stringify(first).length).toBeLessThan(200)
})

const anyId = '0197b2a4-6d00-7cc3-98c4-dc0c0c07398f'
/** The gate refuses members of no organisation before it reads the body; what takes bytes parses them itself. */
const bodies = allContracts.filter(({ body, rawBody, path }) => body && !rawBody && !path.includes('{orgId}'))

test.each(bodies.map(({ method, path }) => [method, path] as const))(
  '400 — %s %s names a member that is there twice, and one with half a surrogate pair',
  async (method, path) => {
    const { token } = await service.person({ role: 'admin' })
    const rawBody = '{"name":"a","name":"b","password":"\\ud800"}'
    const headers = { 'content-type': 'application/json', 'if-match': '*' }
    const answer = await service.call(method, path.replaceAll(/\{\w+\}/g, anyId), { token, headers, rawBody })
    expect(answer.body).toMatchObject({
      status: 400,
      code: 'input_invalid',
      errors: [
        { pointer: '/name', detail: 'is there more than once' },
        { pointer: '/password', detail: 'is not well-formed Unicode' },
      ],
    })
  },
)

test('400 — two factors cannot have names that the database would make equal', async () => {
  const { token, password } = await service.person()
  for (const name of ['\\ud800', '\\ud801']) {
    const answer = await service.post('/auth/factors', {
      token,
      headers: { 'content-type': 'application/json' },
      rawBody: `{"friendlyName":"${name}","password":${JSON.stringify(password)}}`,
    })
    expect(answer.body).toMatchObject({ status: 400, errors: [{ pointer: '/friendlyName' }] })
  }
})
