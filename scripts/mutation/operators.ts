import ts from 'typescript'
import { isSql, sqlEdits } from './sql-operators.ts'

/** One small fault in a source: what stands from `start` to `end` becomes `replacement`. */
export interface Mutation {
  readonly operator: string
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** The expression, block or statement that is evaluated with the fault or without it, and its whole text with the fault. */
  readonly host: ts.Node
  readonly hostText: string
}

/**
 * Every mutation of a file: the operators of Stryker (conditions, boundaries, logic, arithmetic, literals, blocks, optional chains, calls
 * of methods, regular expressions), and beside them each call that stands alone, and each condition inside of SQL.
 */
export function mutationsOf(source: ts.SourceFile): readonly Mutation[] {
  const found: Mutation[] = []
  const visit = (node: ts.Node): void => {
    if (isLeftOut(node)) return
    for (const edit of editsOf(node, source)) {
      const { operator, replacement, start = node.getStart(source), end = node.end } = edit
      const host = hostOf(node)
      const before = source.text.slice(host.getStart(source), edit.nodeText ? node.getStart(source) : start)
      const after = source.text.slice(edit.nodeText ? node.end : end, host.end)
      found.push({ operator, start, end, replacement, host, hostText: before + (edit.nodeText ?? replacement) + after })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Types, imports, and texts that only people read: descriptions, summaries, examples and messages, texts of logs and of internal errors. */
function isLeftOut(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isModuleDeclaration(node)) return true
  if (ts.isHeritageClause(node)) return true
  if (ts.isPropertyAssignment(node)) return isText(node)
  if (!isTextLiteral(node)) return false
  const { parent } = node
  if (ts.isNewExpression(parent)) return /Error$/.test(parent.expression.getText())
  return ts.isCallExpression(parent) && /\blog\.(trace|debug|info|warn|error|fatal)$/.test(parent.expression.getText())
}

const textProperties = new Set(['description', 'summary', 'title', 'label', 'help', 'tag', 'found', 'next'])
const exampleProperties = new Set(['examples', 'bodyExamples', 'example'])

function isText({ name, initializer, parent }: ts.PropertyAssignment): boolean {
  const key = name.getText()
  if (exampleProperties.has(key)) return true
  // The name of a statement: PostgreSQL shows it in its views, nothing depends on it.
  const isStatementName = key === 'name' && parent.properties.some((other) => other.name?.getText() === 'text')
  return (
    (textProperties.has(key) || isStatementName) && (isTextLiteral(initializer) || ts.isBinaryExpression(initializer))
  )
}

function isTextLiteral(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)
}

/** A part of an optional chain cannot be replaced by itself: the whole chain is. */
function hostOf(node: ts.Node): ts.Node {
  let host = node
  while (ts.isOptionalChain(host.parent) && host.parent.expression === host) host = host.parent
  return host
}

interface Edit {
  readonly operator: string
  readonly replacement: string
  readonly start?: number
  readonly end?: number
  /** The whole node, where it is more than the replacement. */
  readonly nodeText?: string
}

function editsOf(node: ts.Node, source: ts.SourceFile): readonly Edit[] {
  return [
    ...conditionEdits(node),
    ...operatorEdits(node, source),
    ...literalEdits(node, source),
    ...codeEdits(node, source),
  ]
}

const boundaries: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
}
const logic: Readonly<Record<string, string>> = { '&&': '||', '||': '&&', '??': '&&' }
const arithmetic: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '**': '*' }
const assignments: Readonly<Record<string, string>> = { '+=': '-=', '-=': '+=', '*=': '/=', '/=': '*=', '??=': '&&=' }

function conditionEdits(node: ts.Node): readonly Edit[] {
  const { parent } = node
  const edits = (...values: readonly string[]) => values.map((replacement) => ({ operator: 'condition', replacement }))
  if (!parent || !ts.isExpression(node)) return []
  if (ts.isWhileStatement(parent) || ts.isDoStatement(parent)) return parent.expression === node ? edits('false') : []
  if (ts.isForStatement(parent) && parent.condition === node) return edits('false')
  if (ts.isIfStatement(parent) && parent.expression === node) return edits('true', 'false')
  if (ts.isConditionalExpression(parent) && parent.condition === node) return edits('true', 'false')
  if (!ts.isBinaryExpression(node)) return []
  const operator = node.operatorToken.getText()
  if (!(operator in boundaries) && operator !== '&&' && operator !== '||') return []
  // `(true || y)` and `(false && y)` are made one level above.
  if (ts.isBinaryExpression(parent) && parent.operatorToken.getText() === '||') return edits('false')
  if (ts.isBinaryExpression(parent) && parent.operatorToken.getText() === '&&') return edits('true')
  return edits('true', 'false')
}

function operatorEdits(node: ts.Node, source: ts.SourceFile): readonly Edit[] {
  if (ts.isBinaryExpression(node)) {
    const { operatorToken: token } = node
    const operator = token.getText()
    const at = { start: token.getStart(source), end: token.end }
    const edit = (name: string, replacement: string) => ({ operator: name, replacement, ...at })
    if (operator === '+' && [node.left, node.right].some(isTextOperand)) return []
    return [
      ...(boundaries[operator] ?? []).map((other) => edit('comparison', other)),
      ...(logic[operator]
        ? // `??` stands beside no other operator without brackets.
          [
            {
              ...edit('logic', logic[operator]),
              nodeText: `(${node.left.getText()}) ${logic[operator]} (${node.right.getText()})`,
            },
          ]
        : []),
      ...(arithmetic[operator] ? [edit('arithmetic', arithmetic[operator])] : []),
      ...(assignments[operator] ? [edit('assignment', assignments[operator])] : []),
    ]
  }
  if (ts.isPrefixUnaryExpression(node)) {
    const operand = node.operand.getText()
    if (node.operator === ts.SyntaxKind.ExclamationToken) return [{ operator: 'negation', replacement: operand }]
    if (node.operator === ts.SyntaxKind.MinusToken) return [{ operator: 'sign', replacement: `+${operand}` }]
  }
  return []
}

function isTextOperand(node: ts.Expression): boolean {
  return isTextLiteral(node) || (ts.isBinaryExpression(node) && isTextLiteral(node.right))
}

function literalEdits(node: ts.Node, source: ts.SourceFile): readonly Edit[] {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [{ operator: 'boolean', replacement: 'false' }]
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [{ operator: 'boolean', replacement: 'true' }]
  if (isTextLiteral(node)) return textEdits(node, source)
  if (ts.isRegularExpressionLiteral(node)) return patternEdits(node.text)
  if (ts.isObjectLiteralExpression(node) && !isTarget(node))
    return node.properties.length > 0 ? [{ operator: 'object', replacement: '{}' }] : []
  if (ts.isArrayLiteralExpression(node) && !isTarget(node))
    return [{ operator: 'array', replacement: node.elements.length > 0 ? '[]' : `['mutant']` }]
  return []
}

function isTarget(node: ts.Node): boolean {
  return ts.isBinaryExpression(node.parent) && node.parent.left === node
}

/** The text of a statement is not emptied, which any test would notice: its conditions are changed one by one. */
function textEdits(node: ts.Node, source: ts.SourceFile): readonly Edit[] {
  const { parent } = node
  if (ts.isPropertyAssignment(parent) && parent.name === node) return []
  if (ts.isBindingElement(parent) && parent.propertyName === node) return []
  if (ts.isTaggedTemplateExpression(parent) || ts.isExpressionStatement(parent)) return []
  if (ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword) return []
  const text = node.getText(source)
  const inner = text.slice(1, -1)
  if (isSql(inner, text.startsWith('`'))) {
    const from = node.getStart(source) + 1
    return sqlEdits(inner).map(({ start, end, ...edit }) => ({ ...edit, start: from + start, end: from + end }))
  }
  return [{ operator: 'text', replacement: inner === '' ? `'mutant'` : `''` }]
}

function patternEdits(literal: string): readonly Edit[] {
  const end = literal.lastIndexOf('/')
  const [pattern, flags] = [literal.slice(1, end), literal.slice(end)]
  const changed = [
    pattern.replace(/^\^/, ''),
    pattern.replace(/(?<!\\)\$$/, ''),
    pattern.replace(/(?<!\\)\[\^/, '['),
    pattern.replace(/(?<!\\)\[(?!\^)/, '[^'),
    pattern.replace(/(?<=[\])\w.])[+*](?!\?)/, ''),
    pattern.replace(/(?<=[\])\w.])\?/, ''),
    pattern.replace(/(?<=[\])\w.])\{\d[^}]*\}/, ''),
    pattern.replace(/\\([dsw])/, (_, kind: string) => `\\${kind.toUpperCase()}`),
  ]
  const different = [...new Set(changed)].filter((text) => text !== pattern && text !== '')
  return different.map((text) => ({ operator: 'pattern', replacement: `/${text}${flags}` }))
}

/** A call of a method and what is called instead; nothing: what it was called on. */
const methods: Readonly<Record<string, string | undefined>> = {
  charAt: undefined,
  endsWith: 'startsWith',
  startsWith: 'endsWith',
  every: 'some',
  some: 'every',
  filter: undefined,
  reverse: undefined,
  toReversed: undefined,
  slice: undefined,
  sort: undefined,
  toSorted: undefined,
  substring: undefined,
  toLowerCase: 'toUpperCase',
  toUpperCase: 'toLowerCase',
  trim: undefined,
  trimEnd: 'trimStart',
  trimStart: 'trimEnd',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
}

function codeEdits(node: ts.Node, source: ts.SourceFile): readonly Edit[] {
  if (ts.isBlock(node)) return isRemovable(node) ? [{ operator: 'block', replacement: '{}' }] : []
  if (ts.isExpressionStatement(node)) {
    const { expression } = node
    const inner =
      ts.isAwaitExpression(expression) || ts.isVoidExpression(expression) ? expression.expression : expression
    return ts.isCallExpression(inner) && !isTheOnlyOne(node) ? [{ operator: 'call', replacement: '' }] : []
  }
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body))
    return node.body.getText() === 'undefined' ? [] : [{ operator: 'function', replacement: '() => undefined' }]
  if (ts.isOptionalChain(node) && !ts.isNonNullExpression(node) && node.questionDotToken)
    return [withoutQuestion(node.questionDotToken, node, source)]
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return []
  const { name, expression: object } = node.expression
  if (!Object.hasOwn(methods, name.text)) return []
  const other = methods[name.text]
  if (other) return [{ operator: 'method', replacement: other, start: name.getStart(source), end: name.end }]
  return [{ operator: 'method', replacement: object.getText() }]
}

function withoutQuestion(token: ts.QuestionDotToken, node: ts.OptionalChain, source: ts.SourceFile): Edit {
  const replacement = ts.isPropertyAccessExpression(node) ? '.' : ''
  return { operator: 'chain', replacement, start: token.getStart(source), end: token.end }
}

/** Without the call of `super` a constructor is no constructor. */
function isRemovable(block: ts.Block): boolean {
  return block.statements.length > 0 && !ts.isConstructorDeclaration(block.parent)
}

/** The removed block is the same mutant. */
function isTheOnlyOne({ parent }: ts.ExpressionStatement): boolean {
  return ts.isBlock(parent) && parent.statements.length === 1 && isRemovable(parent)
}
