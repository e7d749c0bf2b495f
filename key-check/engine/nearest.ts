/** The most similar name, or undefined if none is similar enough. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  let found: { readonly name: string; readonly distance: number } | undefined
  for (const candidate of names) {
    const distance = changesBetween(name, candidate)
    if (distance <= name.length / 3 && distance < (found?.distance ?? Number.POSITIVE_INFINITY))
      found = { name: candidate, distance }
  }
  return found?.name
}

/** Levenshtein distance. */
function changesBetween(one: string, other: string): number {
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
