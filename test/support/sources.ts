import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** One TypeScript file. Paths count from the root of the repository, with `/`. */
export interface Source {
  readonly file: string
  readonly text: string
  /** Files of the repository that it imports, re-exports from or loads with `import('…')`; imports of types count. */
  readonly imports: readonly string[]
}

/** Every TypeScript file below the folder. */
export function sourcesOf(folder: string): readonly Source[] {
  return textsOf(folder, ['.ts']).map(({ file, text }) => ({ file, text, imports: importsOf(file, text) }))
}

/** Every file below the folder whose name ends in one of these, or the one file of that path. */
export function textsOf(path: string, endings: readonly string[]): { readonly file: string; readonly text: string }[] {
  const isFile = endings.some((ending) => path.endsWith(ending))
  const paths = isFile
    ? [path]
    : readdirSync(join(root, path), { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))
  return paths
    .map((name) => name.replaceAll(sep, '/'))
    .filter((name) => endings.some((ending) => name.endsWith(ending)) && !name.includes('node_modules/'))
    .sort()
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
}

export function treeOf({ file, text }: { readonly file: string; readonly text: string }): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
}

export function visit(node: ts.Node, each: (node: ts.Node) => void): void {
  each(node)
  ts.forEachChild(node, (child) => visit(child, each))
}

export function importsOf(file: string, text: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(text, true, true)
  const paths = importedFiles.map(({ fileName }) => fileName).filter((path) => path.startsWith('.'))
  return [...new Set(paths.map((path) => posix.join(posix.normalize(dirname(file)), path)))]
}
