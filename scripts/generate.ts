/** Writes every generated file that is out of date: `npm run generate`. With `built`, only those that git ignores. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { builtFiles, committedFiles } from './generated-files.ts'

const isBuild = process.argv[2] === 'built'
for (const [path, textOf] of Object.entries({ ...builtFiles, ...(isBuild ? {} : committedFiles) })) {
  const file = new URL(`../${path}`, import.meta.url)
  const text = await textOf()
  const isCurrent = text === (await readFile(file, 'utf8').catch(() => undefined))
  if (!isCurrent) await writeFile(file, text)
  if (!isBuild) console.log(`${path}: ${isCurrent ? 'unchanged' : 'written'}`)
}

// scripts/build.ts compares its time with those of the sources. A file that has not changed keeps its own.
await mkdir(new URL('../dist', import.meta.url), { recursive: true })
await writeFile(new URL('../dist/generated', import.meta.url), '')
