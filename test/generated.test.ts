import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { generatedFiles, pagesWithTables } from '../scripts/generated-files.ts'

test.each(Object.entries({ ...generatedFiles, ...pagesWithTables }))(
  '%s is fresh: `npm run generate` would not change it',
  async (path, textOf) => {
    expect(await readFile(new URL(`../${path}`, import.meta.url), 'utf8')).toBe(await textOf())
  },
)
