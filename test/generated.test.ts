import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { committedFiles } from '../scripts/generated-files.ts'

test.each(Object.entries(committedFiles))(
  '%s is fresh: `npm run generate` would not change it',
  async (path, textOf) => {
    expect(await readFile(new URL(`../${path}`, import.meta.url), 'utf8')).toBe(await textOf())
  },
)
