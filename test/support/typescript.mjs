// Runs the sources as they stand in a process of their own: `node --import ./test/support/typescript.mjs program.ts`.
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire, register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread, threadId } from 'node:worker_threads'

// This file is read twice: by the program, which registers it, and by the thread that loads modules for it.
if (isMainThread) register(import.meta.url)

const { version } = createRequire(import.meta.url)('typescript/package.json')
/** Made once for each text of a module: tests start many processes, and the compiler would take most of a start. */
const cache = new URL('../../node_modules/.cache/typescript/', import.meta.url)

export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context)
  const text = await readFile(fileURLToPath(url), 'utf8')
  const made = new URL(`${createHash('sha256').update(version).update(text).digest('hex')}.js`, cache)
  const source = await readFile(made, 'utf8').catch(() => compile(text, made))
  return { format: 'module', shortCircuit: true, source }
}

async function compile(text, made) {
  const { default: typescript } = await import('typescript')
  const { ModuleKind, ScriptTarget } = typescript
  const compilerOptions = { module: ModuleKind.ESNext, target: ScriptTarget.ES2022, verbatimModuleSyntax: true }
  const { outputText } = typescript.transpileModule(text, { compilerOptions })
  await mkdir(cache, { recursive: true })
  // Other processes write the same file at the same time: each sees a whole one or none.
  const part = new URL(`${process.pid}-${threadId}-${createHash('sha256').update(text).digest('hex')}.part`, cache)
  await writeFile(part, outputText)
  await rename(part, made)
  return outputText
}
