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
  return textsOf(folder, ['.ts', '.tsx']).map(({ file, text }) => ({ file, text, imports: importsOf(file, text) }))
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

/**
 * What is loaded with the file or by it: imports but those of types only. Files as paths, packages and Node's own modules by their
 * names. A file that finds a folder's files at the start loads them all.
 */
export function loadedBy({ file, text }: { readonly file: string; readonly text: string }): readonly string[] {
  const found: string[] = []
  visit(treeOf({ file, text }), (node) => {
    const name = loadedName(node)
    if (name !== undefined) found.push(name.startsWith('.') ? posix.join(posix.dirname(file), name) : name)
  })
  const folder = /^(.*)\/engine\/provider-files\.ts$/.exec(file)
  if (folder) found.push(...textsOf(`${folder[1]}/providers`, ['.ts']).map((provider) => provider.file))
  return [...new Set(found)]
}

/** The same without what the file loads later, with `await import('…')`. Only files of the repository. */
export function loadedAtOnce({ file, text }: { readonly file: string; readonly text: string }): readonly string[] {
  return treeOf({ file, text }).statements.flatMap((statement) => {
    const name = loadedName(statement)
    return name?.startsWith('.') ? [posix.join(posix.dirname(file), name)] : []
  })
}

function loadedName(node: ts.Node): string | undefined {
  const textOf = (name: ts.Node | undefined) => (name && ts.isStringLiteral(name) ? name.text : undefined)
  if (ts.isImportDeclaration(node))
    return node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword ? undefined : textOf(node.moduleSpecifier)
  if (ts.isExportDeclaration(node)) return node.isTypeOnly ? undefined : textOf(node.moduleSpecifier)
  const isCall = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
  return isCall ? textOf(node.arguments[0]) : undefined
}

export function importsOf(file: string, text: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(text, true, true)
  const paths = importedFiles.map(({ fileName }) => fileName).filter((path) => path.startsWith('.'))
  return [...new Set(paths.map((path) => posix.join(posix.normalize(dirname(file)), path)))]
}
