// Loads the TypeScript sources and records every evaluated object literal with a `name` and a `text`: the named statements of all modules,
// including private ones. Used by statements.ts: node --import ./scripts/statement-registry.mjs.
import { readFile } from 'node:fs/promises'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import ts from 'typescript'

// This file is loaded twice: by the program, which registers it, and by the thread that loads modules for it.
if (isMainThread) {
  const statements = new Map()
  const declared = new Set()
  globalThis.registerStatement = (literal) => {
    if (typeof literal.name === 'string' && typeof literal.text === 'string') statements.set(literal.name, literal.text)
    return literal
  }
  globalThis.declareStatement = (name) => declared.add(name)
  globalThis.registered = { statements, declared }
  register(import.meta.url)
}

export async function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context)
  const compilerOptions = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2022,
    verbatimModuleSyntax: true,
  }
  const { outputText } = ts.transpileModule(await readFile(fileURLToPath(url), 'utf8'), {
    compilerOptions,
    transformers: { before: [wrapStatements] },
  })
  return { format: 'module', shortCircuit: true, source: outputText }
}

/**
 * `{ name, text }` becomes `globalThis.registerStatement({ name, text })`. One that has only literals may be inside a function: the module
 * also registers it at its end. A name that is declared and never registered is an error.
 */
function wrapStatements(context) {
  const { factory } = context
  const call = (name, ...values) =>
    factory.createCallExpression(
      factory.createPropertyAccessExpression(factory.createIdentifier('globalThis'), name),
      undefined,
      values,
    )
  return (source) => {
    const atEnd = []
    const visit = (node) => {
      const visited = ts.visitEachChild(node, visit, context)
      if (!ts.isObjectLiteralExpression(visited)) return visited
      const [name, text] = ['name', 'text'].map((key) => initializerOf(visited, key))
      if (!name || !text) return visited
      if (ts.isStringLiteralLike(name)) atEnd.push(call('declareStatement', name))
      if (ts.isStringLiteralLike(name) && ts.isStringLiteralLike(text)) atEnd.push(call('registerStatement', visited))
      return call('registerStatement', visited)
    }
    const { statements } = ts.visitEachChild(source, visit, context)
    return factory.updateSourceFile(source, [
      ...statements,
      ...atEnd.map((one) => factory.createExpressionStatement(one)),
    ])
  }
}

/** The value of a property, or its own name if it is a shorthand. */
function initializerOf({ properties }, key) {
  const found = properties.find(({ name }) => name && ts.isIdentifier(name) && name.text === key)
  return found && (found.initializer ?? found.name)
}
