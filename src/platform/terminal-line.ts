const levels: Readonly<Record<number, string>> = { 10: 'trace', 20: 'debug', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' }

/** Formats a JSON log line for a terminal: time, message and members. Wraps at `columns`. */
export function terminalLine(json: string, columns = Number.POSITIVE_INFINITY): string {
  const { level, time, msg, err, pid: _, hostname: __, ...members }: Record<string, unknown> = JSON.parse(json)
  const levelName = levels[Number(level)]
  const words = [
    String(time).slice(11, 19),
    ...(levelName === undefined ? [] : [levelName]),
    ...String(msg ?? '').split(' '),
    ...Object.entries(members).map(([name, value]) => `${name}=${valueText(value)}`),
  ]
  return `${wrap(words, columns)}\n${stackOf(err)}`
}

/** Indents wrapped lines below the message. Never splits a word, so that it can be copied. */
function wrap(words: readonly string[], columns: number): string {
  let length = 0
  return words.reduce((text, word) => {
    const breaks = length > 0 && length + 1 + word.length > columns
    const gap = length === 0 ? '' : breaks ? `\n${indent}` : ' '
    length = (breaks ? indent.length : length + gap.length) + word.length
    return `${text}${gap}${word}`
  }, '')
}

const indent = ' '.repeat('09:41:07 '.length)

/** Quotes every value that is not a plain word, so that control characters are escaped. */
function valueText(value: unknown): string {
  return typeof value === 'string' && /^[\w./:@+-]+$/.test(value) ? value : JSON.stringify(value)
}

function stackOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('stack' in error)) return ''
  return `${String(error.stack).replaceAll(/^/gm, '  ')}\n`
}
