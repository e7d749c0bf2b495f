/** Writes every generated file that is out of date: `npm run generate`. Needs no build. */
import { readFile, writeFile } from 'node:fs/promises'
import { generatedFiles, pagesWithTables } from './generated-files.ts'

for (const [path, textOf] of Object.entries({ ...generatedFiles, ...pagesWithTables })) {
  const file = new URL(`../${path}`, import.meta.url)
  const text = await textOf()
  const isCurrent = text === (await readFile(file, 'utf8').catch(() => undefined))
  if (!isCurrent) await writeFile(file, text)
  console.log(`${path}: ${isCurrent ? 'unchanged' : 'written'}`)
}
