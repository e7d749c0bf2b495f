import { createReadStream } from 'node:fs'
import { parse } from 'csv-parse'
import type { RawRecord, Rejected } from './format.ts'

/** A record with its line, or why there is none. */
export type Read = { readonly line: number; readonly record: RawRecord } | Rejected

/** Longer lines are not people. */
const lineLengthMax = 1_000_000

/**
 * The records of a file, one after another, whatever its size: CSV with a line of names, or JSON lines. What cannot be read is
 * answered with its line and does not end the file. `read` hears how many bytes were taken.
 */
export function readRecords(path: string, kind: 'csv' | 'jsonl', read: (bytes: number) => void): AsyncIterable<Read> {
  const bytes = createReadStream(path).on('data', (chunk) => read(chunk.length))
  return kind === 'csv' ? csvRecords(bytes) : jsonRecords(bytes)
}

/** Split by hand: with `readline` a line could grow without end. */
async function* jsonRecords(bytes: AsyncIterable<Buffer>): AsyncGenerator<Read> {
  let rest: Buffer = Buffer.alloc(0)
  let line = 0
  for await (const chunk of bytes) {
    let from = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      line += 1
      yield* jsonRecord(Buffer.concat([rest, chunk.subarray(from, end)]), line)
      rest = Buffer.alloc(0)
      from = end + 1
    }
    // Of a line that is too long the beginning is enough to say so.
    if (rest.length <= lineLengthMax) rest = Buffer.concat([rest, chunk.subarray(from)])
  }
  if (rest.length > 0) yield* jsonRecord(rest, line + 1)
}

const newline = 0x0a
const utf8 = new TextDecoder('utf-8', { fatal: true })

function* jsonRecord(bytes: Buffer, line: number): Generator<Read> {
  if (bytes.length > lineLengthMax) return yield { line, reason: 'the line is too long' }
  let text: string
  try {
    text = utf8.decode(bytes).trim()
  } catch {
    return yield { line, reason: 'the line is not UTF-8' }
  }
  if (text === '') return
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return yield { line, record: Object.fromEntries(Object.entries(value)) }
    yield { line, reason: 'the line is no JSON object' }
  } catch {
    yield { line, reason: 'the line is not JSON' }
  }
}

async function* csvRecords(bytes: NodeJS.ReadableStream): AsyncGenerator<Read> {
  const skipped: Rejected[] = []
  const parser = bytes.pipe(
    parse({
      bom: true,
      columns: true,
      info: true,
      max_record_size: lineLengthMax,
      relax_column_count: false,
      skip_empty_lines: true,
      skip_records_with_error: true,
      on_skip(error) {
        skipped.push({ line: Number(error?.lines ?? 0), reason: reasonOf(error?.code) })
        return undefined
      },
    }),
  )
  bytes.on('error', (error) => parser.destroy(error))
  for await (const one of parser) {
    yield* skipped.splice(0)
    const { record, info } = one
    // The replacement character is what the decoder writes in the place of bytes that are not UTF-8.
    if (Object.values(record).some((value) => String(value).includes('\uFFFD')))
      yield { line: info.lines, reason: 'the line is not UTF-8' }
    else yield { line: info.lines, record }
  }
  yield* skipped.splice(0)
}

function reasonOf(code: string | undefined): string {
  if (code?.startsWith('CSV_RECORD_INCONSISTENT')) return 'the line has another number of fields than the first'
  return 'the line is not CSV (RFC 4180)'
}
