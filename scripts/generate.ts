/**
 * Writes every generated file that is out of date: `npm run generate`. With `built`, only those that git ignores. With `check`, writes
 * nothing and exits with 1 if a committed file is out of date.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { builtFiles, committedFiles } from './generated-files.ts'

const mode = process.argv[2]
const files = { built: builtFiles, check: committedFiles }[mode ?? ''] ?? { ...builtFiles, ...committedFiles }
for (const [path, textOf] of Object.entries(files)) {
  const file = new URL(`../${path}`, import.meta.url)
  const text = await textOf()
  const isCurrent = text === (await readFile(file, 'utf8').catch(() => undefined))
  if (isCurrent) continue
  if (mode === 'check') {
    console.error(`${path} is out of date. Run: npm run generate`)
    process.exitCode = 1
    continue
  }
  await writeFile(file, text)
  if (mode !== 'built') console.log(`${path}: written`)
}

// Unchanged files keep their time, because scripts/build.ts compares it with those of the sources.
if (mode !== 'check') {
  await mkdir(new URL('../dist', import.meta.url), { recursive: true })
  await writeFile(new URL('../dist/generated', import.meta.url), '')
}
