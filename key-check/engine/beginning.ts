/**
 * Completes the beginning of a JSON document, so that it can be parsed: every list and object that is open is closed. A value that is not
 * complete is left out, and so is an entry of a list. `{"zones":[{"id":1},{"id":` becomes `{"zones":[{"id":1}]}`.
 */
export function completed(beginning: string): string {
  const open: ('}' | ']')[] = []
  let kept = { end: 0, closing: '' }
  let isInString = false
  const keep = (end: number) => {
    // Not inside an entry of a list: half an entry could look like a whole one.
    if (open.lastIndexOf(']', -2) < 0) kept = { end, closing: open.toReversed().join('') }
  }
  for (let at = 0; at < beginning.length; at += 1) {
    const character = beginning[at]
    if (character === '"') isInString = !isInString
    else if (isInString && character === '\\') at += 1
    if (isInString) continue
    if (character === ',') keep(at)
    else if (character === '{' || character === '[') {
      open.push(character === '{' ? '}' : ']')
      keep(at + 1)
    } else if (character === '}' || character === ']') {
      open.pop()
      keep(at + 1)
    }
  }
  return beginning.slice(0, kept.end) + kept.closing
}
