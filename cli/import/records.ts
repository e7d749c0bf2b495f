import { createReadStream } from 'node:fs'
import { parse } from 'csv-parse'
import { depthMax, parseBoundedJson } from '../../src/platform/json-text.ts'
import type { RawRecord, Rejected } from './accounts.ts'

/** A record and its line, or the reason why it is unreadable. */
type Read = { readonly line: number; readonly record: RawRecord } | Rejected

/** Longer than any valid record. */
const lineLengthMax = 1_000_000

/**
 * Streams the records of a file: CSV with a header line, or JSON lines. Yields unreadable records with their line and reason and continues.
 * Calls `onBytes` with the size of each chunk.
 */
export function readRecords(
  path: string,
  kind: 'csv' | 'jsonl',
  onBytes: (bytes: number) => void,
): AsyncIterable<Read> {
  const bytes = createReadStream(path).on('data', (chunk) => onBytes(chunk.length))
  return kind === 'csv' ? csvRecords(bytes) : jsonRecords(bytes)
}

/** Does not use `readline`, which would let a line grow without limit. */
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
    // The start of an overlong line is enough to reject it.
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
    const value: unknown = parseBoundedJson(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return yield { line, record: Object.fromEntries(Object.entries(value)) }
    yield { line, reason: 'the line is not a JSON object' }
  } catch {
    yield { line, reason: `the line is not JSON of at most ${depthMax} levels` }
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
    // The decoder replaces invalid UTF-8 with the replacement character.
    if (Object.values(record).some((value) => String(value).includes('\uFFFD')))
      yield { line: info.lines, reason: 'the line is not UTF-8' }
    else yield { line: info.lines, record }
  }
  yield* skipped.splice(0)
}

function reasonOf(code: string | undefined): string {
  if (code?.startsWith('CSV_RECORD_INCONSISTENT')) return 'the line has more or fewer fields than the first line'
  return 'the line is not CSV (RFC 4180)'
}
