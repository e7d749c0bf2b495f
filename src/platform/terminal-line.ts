const levels: Readonly<Record<number, string>> = { 10: 'trace', 20: 'debug', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' }

/**
 * A line of the log for a person at a terminal of so many columns: the time, what happened, and the members behind it. Elsewhere lines
 * stay JSON.
 */
export function terminalLine(json: string, columns = Number.POSITIVE_INFINITY): string {
  const { level, time, msg, err, pid: _, hostname: __, ...members }: Record<string, unknown> = JSON.parse(json)
  const named = levels[Number(level)]
  const words = [
    String(time).slice(11, 19),
    ...(named === undefined ? [] : [named]),
    ...String(msg ?? '').split(' '),
    ...Object.entries(members).map(([name, value]) => `${name}=${valueText(value)}`),
  ]
  return `${folded(words, columns)}\n${stackOf(err)}`
}

/** Below the time there is only the time. A word that is longer than a line stays whole, so that it can be copied. */
function folded(words: readonly string[], columns: number): string {
  let length = 0
  return words.reduce((text, word) => {
    const breaks = length > 0 && length + 1 + word.length > columns
    const gap = length === 0 ? '' : breaks ? `\n${indent}` : ' '
    length = (breaks ? indent.length : length + gap.length) + word.length
    return `${text}${gap}${word}`
  }, '')
}

const indent = ' '.repeat('09:41:07 '.length)

/** As it is where nothing in it needs quotes, which control characters do, too. */
function valueText(value: unknown): string {
  return typeof value === 'string' && /^[\w./:@+-]+$/.test(value) ? value : JSON.stringify(value)
}

function stackOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('stack' in error)) return ''
  return `${String(error.stack).replaceAll(/^/gm, '  ')}\n`
}
