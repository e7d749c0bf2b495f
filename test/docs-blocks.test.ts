import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { blocksOf, heldBlocks, heldBy, writtenPages } from './support/documented-blocks.ts'

const fileAt = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

test.each(writtenPages)(
  'every block of %s is run by a test, or test/support/documented-blocks.ts has a reason',
  (page) => {
    for (const block of blocksOf(page)) {
      expect(heldBy(block), `${page}:${block.line} is not run: ${block.text.split('\n')[0]}`).toBeDefined()
    }
  },
)

test('every entry refers to a block, and to existing tests that read the page', () => {
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

test('every file named in a reason exists', () => {
  for (const held of heldBlocks)
    if ('because' in held)
      for (const [path] of held.because.matchAll(/\b(?:test|scripts)\/[\w./-]*\w/g))
        expect(existsSync(fileAt(path)), `${held.page}: ${path}`).toBe(true)
})
