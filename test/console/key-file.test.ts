import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batchesOf, type KeyRow, readKeyFile, reportOf, wholeLines } from '../../console/src/key-check/many/key-file.ts'
import { anyCharacter } from '../support/any-character.ts'
import { catalogue } from '../support/catalogue.ts'

const providers = await catalogue()

function read(text: string | Uint8Array, defaultProvider = 'cloudflare') {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  return readKeyFile(bytes, providers, defaultProvider)
}

test('the columns stand in any order, and what a line leaves out is the only type of its provider', () => {
  const text =
    '\ufeffLabel,Provider,KEY,accessKeyId,email\r\n"a, b",route53,secret,AKIA,\r\n\r\n mail ,luadns,token,,ada@example.com'
  expect(read(text)).toEqual({
    rows: [
      {
        line: 2,
        label: 'a, b',
        check: { provider: 'route53', keyType: 'api_key', apiKey: 'secret', parts: { accessKeyId: 'AKIA' } },
      },
      {
        line: 4,
        label: 'mail',
        check: { provider: 'luadns', keyType: 'api_key', apiKey: 'token', email: 'ada@example.com' },
      },
    ],
    malformed: [],
  })
})

test('a malformed line says why by its number, and the others are read', () => {
  const long = 'x'.repeat(4_097)
  const text = [
    'key,provider,key_type',
    'a,hetzner,',
    'a"b,hetzner,',
    'a,hetzner',
    ',hetzner,',
    `${long},hetzner,`,
    'a,nowhere,',
    'a,hetzner,api_key',
    'a,cloudflare,',
    `${long.repeat(5)},hetzner,`,
    'b,hetzner,api_token',
  ].join('\n')
  const file = read(text)
  if (file.fault) throw new Error(file.fault)
  expect(file.rows.map(({ line }) => line)).toEqual([2, 11])
  expect(file.malformed.map(({ line, reason }) => [line, reason])).toEqual([
    [3, 'notCsv'],
    [4, 'fieldCount'],
    [5, 'keyMissing'],
    [6, 'keyTooLong'],
    [7, 'providerUnknown'],
    [8, 'keyTypeUnknown'],
    [9, 'keyTypeMissing'],
    [10, 'tooLong'],
  ])
})

test('a line that is not UTF-8 is malformed', () => {
  const file = read(new Uint8Array([...new TextEncoder().encode('key,provider\nab,hetzner\n'), 0xff, 0x0a]))
  expect(file).toMatchObject({ rows: [{ line: 2 }], malformed: [{ line: 3, reason: 'notUtf8' }] })
})

test.each([
  ['', { fault: 'empty' }],
  ['\n\r\n', { fault: 'empty' }],
  ['key,secret_value\nx,y', { fault: 'columnUnknown', column: 2 }],
  ['key,KEY\nx,y', { fault: 'columnTwice' }],
  ['provider,label\nx,y', { fault: 'columnKeyMissing' }],
  [new Uint8Array(8 * 2 ** 20 + 1), { fault: 'tooLarge' }],
])('a file without a good header is refused as a whole (%#)', (text, fault) => {
  expect(read(text)).toEqual(fault)
})

test('a label that holds the key, or a piece of it, is left out', () => {
  const file = read(
    'key,label,provider\nabcdefghij,my abcdefghij,hetzner\nabcdefghij,bcdefg,hetzner\nabcdefghij,ghij,hetzner',
  )
  expect(file).toMatchObject({ rows: [{ label: '' }, { label: '' }, { label: 'ghij' }] })
})

test('the report is in the order of the lines, quoted, and no formula', () => {
  const common = { provider: 'hetzner', message: 'It is "valid".' }
  expect(
    reportOf([
      { ...common, line: 10, label: 'b', outcome: 'valid' },
      { ...common, line: 2, label: '=1+1', outcome: 'invalid' },
    ]),
  ).toBe(
    [
      '"line","label","provider","outcome","message"',
      '"2","\'=1+1","hetzner","invalid","It is ""valid""."',
      '"10","b","hetzner","valid","It is ""valid""."',
      '',
    ].join('\r\n'),
  )
})

const row = fc.record({
  line: fc.nat(),
  label: fc.string(),
  check: fc.record({
    provider: fc.constant('hetzner'),
    keyType: fc.constant('api_token' as const),
    apiKey: fc.nat(400_000).map((length) => 'x'.repeat(length)),
  }),
}) satisfies fc.Arbitrary<KeyRow>

test('batches hold every row once, in order, 100 at most and less than a request may hold', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), fc.nat(250), (large, smallCount) => {
      const small = Array.from({ length: smallCount }, (_, line) => ({
        line,
        label: '',
        check: { provider: 'hetzner', keyType: 'api_token' as const, apiKey: 'x' },
      }))
      const batches = [...batchesOf([...large, ...small])]
      expect(batches.flat()).toEqual([...large, ...small])
      expect(batches.every((batch) => batch.length > 0 && batch.length <= 100)).toBe(true)
      expect(batches.every((batch) => JSON.stringify(batch.map(({ check }) => check)).length < 2_000_000)).toBe(true)
    }),
    { numRuns: 30 },
  )
})

test('lines come out whole, however the answer is cut into pieces', async () => {
  const line = fc.string({ unit: anyCharacter, minLength: 1 }).filter((text) => !text.includes('\n'))
  const cuts = fc.array(fc.nat(60), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 8 }), cuts, fc.boolean(), async (lines, sizes, endsOpen) => {
      const text = lines.map((one) => `${one}\n`).join('')
      const bytes = new TextEncoder().encode(endsOpen ? text.replace(/\n$/, '') : text)
      const found: string[] = []
      for await (const some of wholeLines(pieces(bytes, sizes))) found.push(...some)
      expect(found).toEqual(lines)
    }),
  )
})

function pieces(bytes: Uint8Array, sizes: readonly number[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      let from = 0
      for (const size of sizes) {
        controller.enqueue(bytes.subarray(from, from + size))
        from += size
      }
      controller.enqueue(bytes.subarray(from))
      controller.close()
    },
  })
}
