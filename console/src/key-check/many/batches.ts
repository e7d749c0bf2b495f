import type { KeyRow } from './key-file.ts'

const batchKeysMax = 100
/** The service takes 4 MiB. */
const batchCharactersMax = 1_000_000

/** The rows in their order, in pieces that one request holds. */
export function* batchesOf(rows: readonly KeyRow[]): Generator<readonly KeyRow[]> {
  let batch: KeyRow[] = []
  let characters = 0
  for (const row of rows) {
    const { length } = JSON.stringify(row.check)
    if (batch.length > 0 && (batch.length === batchKeysMax || characters + length > batchCharactersMax)) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(row)
    characters += length
  }
  if (batch.length > 0) yield batch
}

/** The whole lines of each piece that arrives. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const reader = stream.getReader()
  let rest = ''
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const lines = (rest + decoder.decode(read.value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      if (lines.length > 0) yield lines.filter((line) => line !== '')
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
  if (rest !== '') yield [rest]
}
