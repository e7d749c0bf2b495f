import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { type Column, tableOf } from '../../cli/table.ts'

const columns: readonly Column<{ name: string; note: string }>[] = [
  { title: 'NAME', of: ({ name }) => name, widthMin: 6 },
  { title: 'NOTE', of: ({ note }) => note, isOptional: true },
]

async function shown(room: number, ...batches: { name: string; note: string }[][]): Promise<string[]> {
  async function* source() {
    yield* batches
  }
  const lines: string[] = []
  for await (const line of tableOf(source(), columns, room))
    lines.push(stripVTControlCharacters(line).replace(/\n$/, ''))
  return lines
}

test('columns are as wide as their content', async () => {
  const rows = [
    { name: 'Ada', note: 'x' },
    { name: 'Grace Hopper', note: 'y' },
  ]
  expect(await shown(80, rows)).toEqual(['NAME          NOTE', 'Ada           x', 'Grace Hopper  y'])
})

test('columns become narrower before an optional column is dropped', async () => {
  const rows = [{ name: 'Grace Hopper', note: 'yes' }]
  expect(await shown(13, rows)).toEqual(['NAME     NOTE', 'Grace …  yes'])
  expect(await shown(11, rows)).toEqual(['NAME', 'Grace Hopp…'])
  expect(await shown(3, rows)).toEqual(['NAME', 'Grace…'])
})

test('wider text of later batches is truncated', async () => {
  const later = [{ name: 'Grace Hopper', note: 'y' }]
  expect(await shown(80, [{ name: 'Adaline', note: 'x' }], later)).toEqual([
    'NAME     NOTE',
    'Adaline  x',
    'Grace …  y',
  ])
})

test('double-width and zero-width characters keep columns aligned', async () => {
  const rows = [
    { name: '東京', note: 'x' },
    { name: 'Zoe\u0308', note: 'y' },
  ]
  expect(await shown(80, rows)).toEqual(['NAME  NOTE', '東京  x', 'Zoe\u0308   y'])
})

test('a name that steers the terminal is shown and does not', async () => {
  const [, line] = await shown(80, [{ name: 'a\u001b[2Jb\nc\u202ed', note: 'x' }])
  expect(line).toBe('a\ufffd[2Jb\ufffdc\ufffdd  x')
})
