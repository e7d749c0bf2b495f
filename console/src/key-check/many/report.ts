/** What came of one line of the file. */
export interface RowResult {
  readonly line: number
  readonly label: string
  readonly provider: string
  readonly outcome: 'valid' | 'invalid' | 'undetermined'
  readonly message: string
}

const columns = ['line', 'label', 'provider', 'outcome', 'message']

/** The report as CSV (RFC 4180), in the order of the lines. It holds no key, no part of one and no e-mail address. */
export function reportOf(results: readonly RowResult[]): string {
  const rows = results
    .toSorted((one, other) => one.line - other.line)
    .map(({ line, label, provider, outcome, message }) => [String(line), label, provider, outcome, message])
  return [columns, ...rows].map((row) => `${row.map(csvField).join(',')}\r\n`).join('')
}

/** Spreadsheets run what begins like a formula: an apostrophe before it makes it text. */
function csvField(value: string): string {
  const text = /^[=+@\t\r\n＝＋－＠-]/.test(value) ? `'${value}` : value
  return `"${text.replaceAll('"', '""')}"`
}
