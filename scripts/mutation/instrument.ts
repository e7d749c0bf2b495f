import { dirname, join } from 'node:path'
import ts from 'typescript'
import type { Mutation } from './operators.ts'

/** What a number in an instrumented source stands for. */
export interface Numbers {
  /** Of a mutation. The host is evaluated with the fault while this number is active. */
  mutant(mutation: Mutation): number
  /** Of a use of a constant at the top of a file: who uses it depends on what its initializer did. */
  use(constant: string): number
  /** Of the constant that is being initialized. */
  top(constant: string): number
}

/** Parses a file; its nodes know their parents. */
export function parse(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
}

/**
 * The source with all of its mutations compiled in, each behind `__m(number)`, which says whether it is active, and notes while the tests are
 * run without a fault that it was reached. `constants` are those of all files.
 */
export function instrument(
  source: ts.SourceFile,
  mutations: readonly Mutation[],
  constants: ReadonlySet<string>,
  numbers: Numbers,
): string {
  const byHost = byTheirHost(mutations)
  const names = constantsInScope(source, constants)
  const { text } = source

  /** The node without the space before it. */
  function emit(node: ts.Node): string {
    const plain = withUse(node, inner(node))
    const own = byHost.get(node) ?? []
    if (own.length > 0 && ts.isBlock(node)) return `{ if (${own.map(isInactive).join(' && ')}) ${plain} }`
    if (own.length > 0 && ts.isExpressionStatement(node))
      return `{ if (${own.map(isInactive).join(' && ')}) { ${plain} } }`
    const whole = own.reduceRight(
      (rest, mutation) => `__m(${numbers.mutant(mutation)}) ? (${mutation.hostText}) : ${rest}`,
      `(${plain})`,
    )
    if (ts.isExpressionStatement(node)) return asStatement(node, plain)
    return withTop(node, own.length > 0 ? `(${whole})` : plain)
  }

  function inner(node: ts.Node): string {
    if (isUntouched(node)) return node.getText(source)
    let out = ''
    let at = node.getStart(source)
    ts.forEachChild(node, (child) => {
      const start = child.getStart(source)
      if (start < at) throw new Error(`${source.fileName}: the nodes at ${at} are out of order`)
      out += text.slice(at, start) + emit(child)
      at = child.end
    })
    return out + text.slice(at, node.end)
  }

  const isInactive = (mutation: Mutation) => `!__m(${numbers.mutant(mutation)})`

  function withUse(node: ts.Node, plain: string): string {
    const constant = ts.isIdentifier(node) && isRead(node) ? names.get(node.text) : undefined
    if (constant === undefined) return plain
    const read = `(__m(${numbers.use(constant)}), ${plain})`
    return ts.isShorthandPropertyAssignment(node.parent) ? `${plain}: ${read}` : read
  }

  function withTop(node: ts.Node, plain: string): string {
    const { parent } = node
    if (!parent) return plain
    if (ts.isExportAssignment(parent)) return `(__t(${numbers.top(`${source.fileName}#default`)}), ${plain})`
    if (!ts.isVariableDeclaration(parent) || parent.initializer !== node || !isAtTop(parent)) return plain
    return `(__t(${numbers.top(`${source.fileName}#${parent.name.getText(source)}`)}), ${plain})`
  }

  /** A line that begins with a bracket would belong to the line before it. */
  function asStatement(node: ts.ExpressionStatement, plain: string): string {
    const isOneOfMany = ts.isBlock(node.parent) || ts.isSourceFile(node.parent) || ts.isCaseOrDefaultClause(node.parent)
    const before = ts.isSourceFile(node.parent) ? `;__t(${numbers.top('unknown')});` : ';'
    return isOneOfMany ? `${before}${plain}` : plain
  }

  const prelude = `const { m: __m, t: __t } = globalThis.musterMutation ?? { m: () => false, t: () => undefined };`
  return `${prelude} ${emit(source)}\n;__t(0)\n`
}

function byTheirHost(mutations: readonly Mutation[]): ReadonlyMap<ts.Node, readonly Mutation[]> {
  const found = new Map<ts.Node, Mutation[]>()
  for (const mutation of mutations) found.set(mutation.host, [...(found.get(mutation.host) ?? []), mutation])
  return found
}

/** The constants at the top of a file, as `file#name`. */
export function constantsOf(source: ts.SourceFile): readonly string[] {
  const lists = source.statements.filter(ts.isVariableStatement).map(({ declarationList }) => declarationList)
  return lists
    .flatMap(({ declarations }) => declarations)
    .map(({ name }) => `${source.fileName}#${name.getText(source)}`)
}

/** By the name that the file has for them: its own constants, and those that it imports. */
function constantsInScope(source: ts.SourceFile, constants: ReadonlySet<string>): ReadonlyMap<string, string> {
  const names = new Map(constantsOf(source).map((constant) => [constant.split('#')[1] ?? '', constant]))
  for (const { moduleSpecifier, importClause } of source.statements.filter(ts.isImportDeclaration)) {
    const bindings = importClause?.namedBindings
    const path = ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : ''
    if (!path.startsWith('.') || !bindings || !ts.isNamedImports(bindings)) continue
    for (const { name, propertyName, isTypeOnly } of bindings.elements) {
      const constant = `${join(dirname(source.fileName), path)}#${(propertyName ?? name).getText(source)}`
      if (!isTypeOnly && constants.has(constant)) names.set(name.text, constant)
    }
  }
  return names
}

function isUntouched(node: ts.Node): boolean {
  const are = [
    ts.isTypeNode,
    ts.isImportDeclaration,
    ts.isHeritageClause,
    ts.isModuleDeclaration,
    ts.isInterfaceDeclaration,
  ]
  return are.some((is) => is(node))
}

function isAtTop({ parent }: ts.VariableDeclaration): boolean {
  return (
    ts.isVariableDeclarationList(parent) &&
    ts.isVariableStatement(parent.parent) &&
    ts.isSourceFile(parent.parent.parent)
  )
}

/** Whether the identifier stands for the value of a variable. */
function isRead(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent))
    return parent.expression === node || (ts.isElementAccessExpression(parent) && parent.argumentExpression === node)
  if (ts.isBinaryExpression(parent)) return parent.right === node || !isAssignment(parent.operatorToken.kind)
  if (ts.isVariableDeclaration(parent) || ts.isBindingElement(parent) || ts.isParameter(parent))
    return parent.initializer === node
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node
  if (ts.isArrowFunction(parent)) return parent.body === node
  if (ts.isForOfStatement(parent)) return parent.expression === node
  return readers.some((is) => is(parent))
}

/** Also `+=` and `??=`. */
function isAssignment(operator: ts.SyntaxKind): boolean {
  return operator >= ts.SyntaxKind.FirstAssignment && operator <= ts.SyntaxKind.LastAssignment
}

const readers: readonly ((node: ts.Node) => boolean)[] = [
  ts.isCallExpression,
  ts.isNewExpression,
  ts.isReturnStatement,
  ts.isArrayLiteralExpression,
  ts.isSpreadElement,
  ts.isSpreadAssignment,
  ts.isConditionalExpression,
  ts.isTemplateSpan,
  ts.isAwaitExpression,
  ts.isParenthesizedExpression,
  ts.isAsExpression,
  ts.isSatisfiesExpression,
  ts.isExpressionStatement,
  ts.isIfStatement,
  ts.isComputedPropertyName,
  ts.isShorthandPropertyAssignment,
]
