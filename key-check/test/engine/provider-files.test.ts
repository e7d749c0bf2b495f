import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { expect, onTestFinished, test } from 'vitest'
import { importProviderFiles } from '../../engine/provider-files.ts'

test('a file whose name is not an id is not imported', async () => {
  const folder = pathToFileURL(`${await mkdtemp(join(tmpdir(), 'muster-provider-'))}/`)
  onTestFinished(() => rm(folder, { recursive: true }))
  const stops = 'throw new Error("this file was run")'
  for (const name of ['one.d.ts', '.two.ts', 'Three.ts', 'four.test.ts', 'five.ts.orig', 'six.json', 'seven_.js'])
    await writeFile(new URL(name, folder), stops)
  await writeFile(new URL('b-2.js', folder), 'export default 2')
  await writeFile(new URL('a.ts', folder), 'export default 1')
  const files = await importProviderFiles(folder)
  expect([...files].map(([id]) => id)).toEqual(['a', 'b-2'])
  expect(files.get('a')).toMatchObject({ default: 1 })
})
