// Runs the sources as they stand in a process of their own: `node --import ./test/support/typescript.mjs program.ts`.
import { readFile } from 'node:fs/promises'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

// This file is read twice: by the program, which registers it, and by the thread that loads modules for it.
if (isMainThread) register(import.meta.url)

export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context)
  const { default: typescript } = await import('typescript')
  const { ModuleKind, ScriptTarget } = typescript
  const compilerOptions = { module: ModuleKind.ESNext, target: ScriptTarget.ES2022, verbatimModuleSyntax: true }
  const { outputText } = typescript.transpileModule(await readFile(fileURLToPath(url), 'utf8'), { compilerOptions })
  return { format: 'module', shortCircuit: true, source: outputText }
}
