/** Returns the name with the smallest Levenshtein distance, or undefined if every name differs in more than a third of the letters. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  let best: { readonly name: string; readonly distance: number } | undefined
  for (const candidate of names) {
    const distance = levenshtein(name, candidate)
    if (distance <= name.length / 3 && distance < (best?.distance ?? Number.POSITIVE_INFINITY))
      best = { name: candidate, distance }
  }
  return best?.name
}

function levenshtein(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (const [column, against] of [...other].entries()) {
      const replaced = (row[column] ?? 0) + (letter === against ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
