import { expect, test } from 'vitest'
import { contractChanges, contractShape } from '../../tools/release/contract-changes.js'
import { changesSinceRelease } from '../../tools/release/record.js'

test('this version breaks no client of the newest release, except by intended changes', () => {
  expect(changesSinceRelease().changes).toEqual([])
})

/** An operation with a body, a parameter and a response, one of which each case changes. */
function documentOf(change: (parts: Parts) => void = () => undefined) {
  const parts: Parts = {
    body: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', maxLength: 80 },
        role: { enum: ['admin', 'member'] },
        note: { type: 'string' },
      },
    },
    answer: {
      type: 'object',
      required: ['id'],
      properties: {
        id: { type: 'string' },
        state: { enum: ['on', 'off'] },
        tags: { type: 'array', items: { $ref: ref } },
      },
    },
    tag: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
    parameters: [{ name: 'limit', in: 'query', required: false, schema: { type: 'integer', maximum: 100 } }],
    headers: { ETag: {} },
    operation: { 'x-permission': 'caller' },
  }
  change(parts)
  const { body, answer, tag, parameters, headers, operation } = parts
  const post = {
    ...operation,
    parameters,
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: { 200: { headers, content: { 'application/json': { schema: answer } } }, 404: {} },
  }
  return { paths: { '/a': operation.isGone ? {} : { post } }, components: { schemas: { Tag: tag } } }
}

const ref = '#/components/schemas/Tag'

interface Schema {
  type?: string
  $ref?: string
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  enum?: string[]
  maxLength?: number
  minLength?: number
  maximum?: number
  pattern?: string
}
interface Parts {
  body: Schema
  answer: Schema
  tag: Schema
  parameters: { name: string; in: string; required: boolean; schema: Schema }[]
  headers: Record<string, object>
  operation: Record<string, unknown>
}

test.each<[string, (parts: Parts) => unknown]>([
  ['POST /a is gone.', ({ operation }) => Object.assign(operation, { isGone: true })],
  [
    'POST /a requires the permission users:write instead of caller.',
    ({ operation }) => Object.assign(operation, { 'x-permission': 'users:write' }),
  ],
  ['POST /a no longer accepts query limit.', ({ parameters }) => parameters.pop()],
  [
    'POST /a query limit has a narrower maximum.',
    ({ parameters }) => Object.assign(parameters[0]?.schema ?? {}, { maximum: 50 }),
  ],
  [
    'POST /a requires query kind.',
    ({ parameters }) => parameters.push({ name: 'kind', in: 'query', required: true, schema: {} }),
  ],
  ['POST /a body no longer has the member note.', ({ body }) => void delete body.properties?.note],
  [
    'POST /a body.role no longer has the value "member".',
    ({ body }) => Object.assign(body.properties?.role ?? {}, { enum: ['admin'] }),
  ],
  ['POST /a body.note is required.', ({ body }) => body.required?.push('note')],
  [
    'POST /a body.name has a narrower maxLength.',
    ({ body }) => Object.assign(body.properties?.name ?? {}, { maxLength: 79 }),
  ],
  [
    'POST /a body.note has a narrower minLength.',
    ({ body }) => Object.assign(body.properties?.note ?? {}, { minLength: 1 }),
  ],
  [
    'POST /a body.note has a narrower pattern.',
    ({ body }) => Object.assign(body.properties?.note ?? {}, { pattern: '^a' }),
  ],
  [
    'POST /a body.note accepts only listed values.',
    ({ body }) => Object.assign(body.properties?.note ?? {}, { enum: ['a'] }),
  ],
  ['POST /a 200 no longer has the member id.', ({ answer }) => void delete answer.properties?.id],
  ['POST /a 200.id may be absent.', ({ answer }) => answer.required?.pop()],
  [
    'POST /a 200.id is integer instead of string.',
    ({ answer }) => Object.assign(answer.properties?.id ?? {}, { type: 'integer' }),
  ],
  [
    'POST /a 200.state no longer has the value "off".',
    ({ answer }) => Object.assign(answer.properties?.state ?? {}, { enum: ['on'] }),
  ],
  ['POST /a 200.tags.items no longer has the member text.', ({ tag }) => void delete tag.properties?.text],
  ['POST /a 200 no longer has the header ETag.', ({ headers }) => void delete headers.ETag],
])('noticed: %s', (sentence, change) => {
  expect(contractChanges(documentOf(), documentOf(change))).toEqual([sentence])
})

test('accepts new members, new values in responses, optional parameters and wider limits', () => {
  const grown = documentOf(({ body, answer, parameters, headers }) => {
    Object.assign(body.properties ?? {}, { more: { type: 'string' } })
    Object.assign(body.properties?.role ?? {}, { enum: ['admin', 'member', 'guest'] })
    Object.assign(body.properties?.name ?? {}, { maxLength: 200 })
    Object.assign(answer.properties ?? {}, { more: { type: 'string' } })
    answer.required?.push('more')
    parameters.push({ name: 'more', in: 'query', required: false, schema: {} })
    Object.assign(headers, { Link: {} })
  })
  expect(contractChanges(documentOf(), grown)).toEqual([])
})

test('allows removing a deprecated operation once its sunset has passed, and not before', () => {
  const announced = documentOf(({ operation }) =>
    Object.assign(operation, { deprecated: true, 'x-sunset': '2027-06-30' }),
  )
  const gone = documentOf(({ operation }) => Object.assign(operation, { isGone: true }))
  expect(contractChanges(announced, gone, new Date('2027-06-29'))).toEqual(['POST /a is gone.'])
  expect(contractChanges(announced, gone, new Date('2027-06-30'))).toEqual([])
})

test('the record contains what is compared, without texts; a member may have the name of a text', () => {
  const document = {
    summary: 'text',
    properties: { description: { type: 'string', description: 'text' } },
    examples: { a: {} },
  }
  expect(contractShape(document)).toEqual({ properties: { description: { type: 'string' } } })
})

test('accepts a body that requires any one member instead of a certain one', () => {
  const anyOne = documentOf(({ body }) => Object.assign(body, { required: undefined, minProperties: 1 }))
  const anyTwo = documentOf(({ body }) => Object.assign(body, { required: undefined, minProperties: 2 }))
  expect(contractChanges(documentOf(), anyOne)).toEqual([])
  expect(contractChanges(documentOf(), anyTwo)).toEqual(['POST /a body has a narrower minProperties.'])
})
