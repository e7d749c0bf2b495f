import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { allContracts } from '../../../src/contracts.ts'
import { type BodySender, createBodyMemory } from '../../../src/platform/http/body-memory.ts'
import type { UserCaller } from '../../../src/platform/http/caller.ts'
import { bodyItemsMax } from '../../../src/platform/http/read-body.ts'
import { depthMax } from '../../../src/platform/json-text.ts'
import { Problem } from '../../../src/platform/problems.ts'

const mebibyte = 2 ** 20

describe('large bodies', () => {
  const shares: readonly (readonly [string, number, number, (n: number) => BodySender])[] = [
    ['one user', 2, 4, () => ({ caller: userNamed('a'), address: '192.0.2.1' })],
    [
      'one service key',
      2,
      4,
      (n) => ({ caller: { kind: 'service', key: 'service k', keyId: 'k' }, address: `192.0.2.${n}` }),
    ],
    ['users of one network', 4, 4, (n) => ({ caller: userNamed(`${n}`), address: '192.0.2.1' })],
    ['users of one IPv6 network', 4, 4, (n) => ({ caller: userNamed(`${n}`), address: `2001:db8::${n}` })],
    ['all callers', 8, 4, (n) => ({ caller: userNamed(`${n}`), address: `192.0.2.${n}` })],
    ['requests without a token', 8, 1, (n) => ({ caller: undefined, address: `192.0.2.${n}` })],
  ]
  test.each(shares)(
    'of %s: %i × %i MiB at the same time, and again after their responses',
    (_, count, size, senderOf) => {
      const hold = createBodyMemory()
      for (const round of [1, 2]) {
        const responses = Array.from({ length: count }, responseOf)
        for (const [n, response] of responses.entries()) hold(senderOf(n), size * mebibyte, response)
        expect(() => hold(senderOf(100), 1, responseOf()), `round ${round}`).toThrow(Problem)
        for (const response of responses) response.emit('close')
      }
    },
  )

  test('of a disconnected caller hold no memory', () => {
    const hold = createBodyMemory()
    const sender = { caller: userNamed('a'), address: '192.0.2.1' }
    const gone = Object.assign(responseOf(), { closed: true })
    for (let n = 0; n < 10; n += 1) hold(sender, 4 * mebibyte, gone)
    hold(sender, 8 * mebibyte, responseOf())
  })
})

function userNamed(subject: string): UserCaller {
  return { kind: 'user', key: subject, issuer: 'i', subject, emailTrusted: false, provisions: false }
}

/** A response that stays open until it emits `close`. */
function responseOf(): ServerResponse {
  // The code under test uses the event and `closed` only.
  return Object.assign(new EventEmitter(), { closed: false }) as unknown as ServerResponse
}

const parsed = allContracts.flatMap(({ id, body, rawBody, bodyItemsMax: itemsMax = bodyItemsMax }) =>
  body && !rawBody ? [[id, body, itemsMax] as const] : [],
)

test.each(parsed)('the largest body that the contract of %s allows is accepted', (_, body, itemsMax) => {
  const { items, depth } = largest(body)
  expect(items).toBeLessThanOrEqual(itemsMax)
  expect(depth).toBeLessThanOrEqual(depthMax)
})

/** Number of members and elements, and levels, of the largest body that a schema allows. */
function largest(schema: TSchema): { readonly items: number; readonly depth: number } {
  // Schemas are plain JSON Schema, which TypeBox types by kind only.
  const {
    properties = {},
    patternProperties = {},
    maxProperties,
    items,
    maxItems,
    anyOf,
  } = schema as {
    properties?: Record<string, TSchema>
    patternProperties?: Record<string, TSchema>
    maxProperties?: number
    items?: TSchema
    maxItems?: number
    anyOf?: readonly TSchema[]
  }
  if (anyOf) return most(anyOf.map(largest))
  if (items) return around(largest(items), maxItems ?? Number.POSITIVE_INFINITY)
  const [pattern] = Object.values(patternProperties)
  if (pattern) return around(largest(pattern), maxProperties ?? Number.POSITIVE_INFINITY)
  const members = Object.values(properties).map(largest)
  if (members.length === 0) return { items: 0, depth: 0 }
  return {
    items: members.reduce((sum, member) => sum + 1 + member.items, 0),
    depth: 1 + most(members).depth,
  }
}

function around(inner: { readonly items: number; readonly depth: number }, count: number) {
  return { items: count * (1 + inner.items), depth: 1 + inner.depth }
}

function most(all: readonly { readonly items: number; readonly depth: number }[]) {
  return { items: Math.max(...all.map(({ items }) => items)), depth: Math.max(...all.map(({ depth }) => depth)) }
}
