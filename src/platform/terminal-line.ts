const levels: Readonly<Record<number, string>> = { 10: 'trace', 20: 'debug', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' }

/** A line of the log for a person at a terminal: the time, what happened, and the members behind it. Elsewhere lines stay JSON. */
export function terminalLine(json: string): string {
  const { level, time, msg, err, pid: _, hostname: __, ...members }: Record<string, unknown> = JSON.parse(json)
  const named = levels[Number(level)]
  const words = [
    String(time).slice(11, 19),
    ...(named === undefined ? [] : [named]),
    String(msg ?? ''),
    ...Object.entries(members).map(([name, value]) => `${name}=${valueText(value)}`),
  ]
  return `${words.join(' ')}\n${stackOf(err)}`
}

/** As it is where nothing in it needs quotes, which control characters do, too. */
function valueText(value: unknown): string {
  return typeof value === 'string' && /^[\w./:@+-]+$/.test(value) ? value : JSON.stringify(value)
}

function stackOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('stack' in error)) return ''
  return `${String(error.stack).replaceAll(/^/gm, '  ')}\n`
}
