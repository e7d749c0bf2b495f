import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { blocksOf, heldBlocks, heldBy, writtenPages } from './support/documented-blocks.ts'

const fileAt = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

test.each(writtenPages)(
  'a test runs every block of %s, or test/support/documented-blocks.ts says why none does',
  (page) => {
    for (const block of blocksOf(page)) {
      expect(heldBy(block), `${page}:${block.line} is not run: ${block.text.split('\n')[0]}`).toBeDefined()
    }
  },
)

test('every entry is about a block, and every test that it names is there and reads the page', () => {
  const used = new Set(writtenPages.flatMap(blocksOf).map(heldBy))
  for (const held of heldBlocks) {
    expect(used, `${held.page}: ${held.starts ?? held.languages}`).toContain(held)
    if (!('by' in held)) continue
    expect(existsSync(fileAt(held.by)), held.by).toBe(true)
    expect(readFileSync(fileAt(held.by), 'utf8'), `${held.by} does not name ${held.page}`).toContain(
      basename(held.page),
    )
  }
})

test('every file that a reason names is there', () => {
  for (const held of heldBlocks)
    if ('because' in held)
      for (const [path] of held.because.matchAll(/\b(?:test|scripts)\/[\w./-]*\w/g))
        expect(existsSync(fileAt(path)), `${held.page}: ${path}`).toBe(true)
})
