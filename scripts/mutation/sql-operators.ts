/** A change of the text of a statement, from `start` to `end`. */
interface SqlEdit {
  readonly operator: string
  readonly start: number
  readonly end: number
  readonly replacement: string
}

/** A whole statement, or a piece that others are made of. */
export function isSql(text: string, isTemplate: boolean): boolean {
  if (/^\s*(select|insert|update|delete|with)\s/.test(text)) return true
  return isTemplate && /\b(is (not )?null|case when|where|order by)\b|\b(now\(\)|exists \()|::\w/.test(text)
}

/** Conditions left out, comparisons, orders and signs turned round, locks left out. */
export function sqlEdits(text: string): readonly SqlEdit[] {
  const sql = masked(text)
  const swaps: readonly (readonly [string, RegExp, string])[] = [
    ['sql null', / is not null\b/g, ' is null'],
    ['sql null', / is null\b/g, ' is not null'],
    ['sql comparison', / <= /g, ' < '],
    ['sql comparison', / >= /g, ' > '],
    ['sql comparison', / < /g, ' <= '],
    ['sql comparison', / > /g, ' >= '],
    ['sql comparison', / <> /g, ' = '],
    ['sql distinct', / is distinct from /g, ' is not distinct from '],
    ['sql arithmetic', / \+ /g, ' - '],
    ['sql arithmetic', / - /g, ' + '],
    ['sql order', / desc\b/g, ''],
    ['sql order', /(?<=\border by [\w.]+)(?=[,)\s]|$)(?! (desc|asc|nulls))/g, ' desc'],
    ['sql exists', /\bnot exists\b/g, 'exists'],
    ['sql exists', /(?<!\b(?:not|if) )\bexists(?= \()/g, 'not exists'],
    ['sql bound', /\bgreatest(?=\()/g, 'least'],
    ['sql bound', /\bleast(?=\()/g, 'greatest'],
    ['sql lock', / for (no key )?(update|share)( of \w+)?( skip locked)?(?=\s*($|\)))/g, ''],
    ['sql boolean', /\btrue\b/g, 'false'],
    ['sql boolean', /\bfalse\b/g, 'true'],
    ['sql distinct', /(?<=\bselect )distinct /g, ''],
  ]
  const turned = swaps.flatMap(([operator, pattern, replacement]) =>
    [...sql.matchAll(pattern)].map(({ 0: match, index }) => ({
      operator,
      start: index,
      end: index + match.length,
      replacement,
    })),
  )
  return [...turned, ...conditionEdits(sql)].filter(
    ({ start, end, replacement }) => sql.slice(start, end) !== replacement,
  )
}

/** `and x` and `or x` are left out, the first condition after `where`, `on` or `when` is `true`. */
function conditionEdits(sql: string): readonly SqlEdit[] {
  const edits: SqlEdit[] = []
  for (const { 0: word, index } of sql.matchAll(/\b(and|or|where|when|on)\b(?! (conflict|delete))/g)) {
    const from = index + word.length
    const end = endOfCondition(sql, from)
    if (sql.slice(from, end).trim() === '') continue
    if (word === 'and' || word === 'or') {
      const before = [...sql.slice(0, index).matchAll(/\b(between|and|or|where|on|when)\b/g)].at(-1)?.[0]
      if (before !== 'between') edits.push({ operator: 'sql condition', start: index, end, replacement: '' })
    } else {
      const replacement = word === 'when' ? ' false' : ' true'
      edits.push({ operator: 'sql condition', start: from, end, replacement })
    }
  }
  return edits
}

const conditionEnds =
  /^(and|or|order by|group by|returning|limit|offset|for (no key )?(update|share)|on|union|then|else|end|when|having|window|join|left|inner|cross|where)\b/

/** The first word outside of brackets that begins something else, the bracket that closes around it, or the end. */
function endOfCondition(sql: string, from: number): number {
  let depth = 0
  let isBetween = false
  for (let at = from; at < sql.length; at += 1) {
    depth += { '(': 1, ')': -1 }[sql.charAt(at)] ?? 0
    if (depth < 0) return trimmedEnd(sql, at)
    if (depth > 0 || /\w/.test(sql.charAt(at - 1))) continue
    const rest = sql.slice(at, at + 20)
    const end = /^[,;]/.test(rest) ? ',' : conditionEnds.exec(rest)?.[0]
    if (end !== undefined && !(end === 'and' && isBetween)) return trimmedEnd(sql, at)
    isBetween = rest.startsWith('between ') || (isBetween && end === undefined)
  }
  return trimmedEnd(sql, sql.length)
}

function trimmedEnd(sql: string, at: number): number {
  return sql.slice(0, at).trimEnd().length
}

/** The text with everything that is no SQL of its own, of the same length: quoted texts, comments and substitutions. */
function masked(text: string): string {
  const blank = (match: string) => '§'.repeat(match.length)
  let out = ''
  for (let at = 0; at < text.length; ) {
    if (!text.startsWith('${', at)) {
      out += text[at]
      at += 1
      continue
    }
    let depth = 0
    let end = at + 1
    do {
      if (text[end] === '{') depth += 1
      if (text[end] === '}') depth -= 1
      end += 1
    } while (depth > 0 && end < text.length)
    out += blank(text.slice(at, end))
    at = end
  }
  return out.replaceAll(/--[^\n]*/g, blank).replaceAll(/'[^']*'/g, blank)
}
