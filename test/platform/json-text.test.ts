import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { depthMax, parseBoundedJson, scanJson } from '../../src/platform/json-text.ts'

/** Scans the text in pieces of at most `pieceBytes`. */
function scanned(text: string, { pieceBytes = Number.POSITIVE_INFINITY, itemsMax = Number.POSITIVE_INFINITY } = {}) {
  const scan = scanJson(itemsMax)
  const bytes = Buffer.from(text)
  for (let end = 0; end < bytes.length; ) {
    end = Math.min(bytes.length, end + pieceBytes)
    const fault = scan.read(bytes.subarray(0, end))
    if (fault) return { fault, end, ambiguities: scan.ambiguities }
  }
  return { ambiguities: scan.ambiguities }
}

const pointers = (text: string) => {
  JSON.parse(text)
  return scanned(text).ambiguities.map((fault) => ('pointer' in fault ? fault.pointer : fault.parameter))
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
])('names each ambiguous member of %s', (text, expected) => {
  expect(pointers(text)).toEqual(expected)
})

test('finds no ambiguity in output of JSON.stringify, and finds a duplicate member anywhere', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.string(), (value, name) => {
      expect(scanned(JSON.stringify(value)).ambiguities).toEqual([])
      const member = `${JSON.stringify(name)}:${JSON.stringify(value)}`
      expect(scanned(`[0,{${member},${member}}]`).ambiguities).toHaveLength(1)
    }),
  )
})

test('reports at most 20 faults, with shortened names', () => {
  const text = `{${Array.from({ length: 30 }, () => `"${'n'.repeat(500)}":1`).join(',')}}`
  const [first, ...others] = scanned(text).ambiguities
  expect(others).toHaveLength(19)
  expect(JSON.stringify(first).length).toBeLessThan(200)
})

describe('scanJson', () => {
  /** JSON with few names and many escapes, so that duplicate members and lone surrogates occur. */
  const text = fc.stringMatching(/^(?:[ab]|\\\\|\\"|\\u0061|\\ud83d|\\ude00|😀|é|[[\]{}:,]){0,4}$/)
  const { json } = fc.letrec<{ json: string }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('0', 'null', ' true ', '-1.5e3'),
      text.map((content) => `"${content}"`),
      fc.array(tie('json'), { maxLength: 4 }).map((elements) => `[${elements.join(' ,')}]`),
      fc.array(fc.tuple(text, tie('json')), { maxLength: 4 }).map((members) => {
        return `{${members.map(([name, value]) => `"${name}" : ${value}`).join(',')}}`
      }),
    ),
  }))
  const pieceBytes = fc.integer({ min: 1, max: 20 })

  test('finds the same ambiguities for any split of the text as for the whole text', () => {
    fc.assert(
      fc.property(json, pieceBytes, (generated, bytes) => {
        expect(() => JSON.parse(generated)).not.toThrow()
        expect(scanned(generated, { pieceBytes: bytes })).toEqual({ ambiguities: ambiguitiesByTokens(generated) })
      }),
      { numRuns: 1_000 },
    )
  })

  test('finds the first byte that is nested too deep, and counts every member and element', () => {
    fc.assert(
      fc.property(json, pieceBytes, (generated, bytes) => {
        expect(scanned(`${'['.repeat(depthMax)}${generated}`, { pieceBytes: bytes }).fault !== undefined).toBe(
          /^\s*[[{]/.test(generated),
        )
        const items = itemsIn(JSON.parse(generated))
        const isRepeated = JSON.stringify(ambiguitiesByTokens(generated)).includes('more than once')
        if (isRepeated) return // `JSON.parse` keeps one of them
        expect(scanned(generated, { itemsMax: items, pieceBytes: bytes }).fault).toBeUndefined()
        if (items > 0) expect(scanned(generated, { itemsMax: items - 1, pieceBytes: bytes }).fault).toBeDefined()
      }),
      { numRuns: 1_000 },
    )
  })

  test('accepts any bytes without an error, and accepts everything within the limits that JSON.parse accepts', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^["\\[\]{},:u0-9a]{0,40}$/)), pieceBytes, (any, bytes) => {
        const { fault } = scanned(any, { pieceBytes: bytes })
        if (fault) expect(fault.detail).toContain('levels deep')
        if (fault) expect(any.length).toBeGreaterThan(depthMax)
      }),
    )
  })

  test.each([
    ['lists', '['.repeat(33), '/0'.repeat(32)],
    ['objects', `${'{"a":'.repeat(32)}{`, '/a'.repeat(32)],
    ['both by turns', `${'[{"a":'.repeat(16)}[`, '/0/a'.repeat(16)],
    ['a list in a valid start', `{"keys":[{"for":${'['.repeat(30)}`, `/keys/0/for${'/0'.repeat(29)}`],
    ['the second element', `[0,${'['.repeat(32)}`, `/1${'/0'.repeat(31)}`],
  ])('names the position that is nested too deep: %s', (_, start, pointer) => {
    const fault = { pointer, detail: 'is nested more than 32 levels deep' }
    expect(scanned(start)).toMatchObject({ fault })
    expect(scanned(`${start}${']'.repeat(100)}`, { pieceBytes: 1 })).toMatchObject({ fault, end: start.length })
  })

  test('allows 32 levels, and ignores brackets in strings and closed levels', () => {
    for (const allowed of [
      `${'['.repeat(32)}${']'.repeat(32)}`,
      `${'{"a":'.repeat(32)}1${'}'.repeat(32)}`,
      JSON.stringify({ a: '['.repeat(100), '{{{': '"['.repeat(50) }),
      `[${Array.from({ length: 100 }, () => '[[]]').join(',')}]`,
    ])
      expect(scanned(allowed)).toEqual({ ambiguities: [] })
  })

  test('names the first item beyond the limit', () => {
    expect(scanned('{"a":[0,1],"b":[{"c":2}],"d":3}', { itemsMax: 6 })).toMatchObject({
      fault: { pointer: '/d', detail: 'exceeds the limit of 6 members and list elements' },
    })
    expect(scanned('[0,1,2,3,4]', { itemsMax: 4 })).toMatchObject({ fault: { pointer: '/4' } })
  })
})

describe('parseBoundedJson', () => {
  test('returns what JSON.parse returns', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(parseBoundedJson(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test('throws for text that is not JSON or is nested too deep', () => {
    for (const text of ['', '{', `${'['.repeat(33)}${']'.repeat(33)}`, '['.repeat(1_000_000)])
      expect(() => parseBoundedJson(text)).toThrow(SyntaxError)
  })
})

/** Counts members and elements. An empty list counts as one. */
function itemsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value)
  const own = Array.isArray(value) ? Math.max(1, inner.length) : inner.length
  return inner.reduce<number>((sum, entry) => sum + itemsIn(entry), own)
}

interface OpenValue {
  readonly names: Set<string> | undefined
  name: string | number
  expectsName: boolean
}

/** The reference implementation: finds the ambiguities in the tokens of the whole text. */
function ambiguitiesByTokens(text: string) {
  const faults: { pointer: string; detail: string }[] = []
  const open: OpenValue[] = []
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g)) {
    if (token === '{') open.push({ names: new Set(), name: '', expectsName: true })
    else if (token === '[') open.push({ names: undefined, name: 0, expectsName: false })
    else if (token === '}' || token === ']') open.pop()
    else if (token === ',') goOn(open.at(-1))
    else {
      const details = detailsOf(JSON.parse(token), open.at(-1))
      const pointer = open.map(({ name }) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
      faults.push(...details.map((detail) => ({ pointer, detail })))
    }
  }
  return faults.slice(0, 20)
}

function goOn(value: OpenValue | undefined): void {
  if (value?.names) value.expectsName = true
  else if (typeof value?.name === 'number') value.name += 1
}

function detailsOf(content: string, value: OpenValue | undefined): string[] {
  const details: string[] = []
  if (value?.expectsName) {
    value.name = content
    value.expectsName = false
    if (value.names?.has(content)) details.push('is sent more than once')
    value.names?.add(content)
  }
  if (/\p{Cs}/u.test(content)) details.push('is not well-formed Unicode')
  return details
}
