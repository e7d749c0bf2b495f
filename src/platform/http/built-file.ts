import { extname } from 'node:path'
import { type StaticDocument, staticDocument } from './static-document.ts'

/** A file that a build made. */
export interface BuiltFile {
  readonly type: string
  readonly document: StaticDocument
}

/** The type is that of the name's ending. */
export function builtFile(name: string, read: () => Buffer | Promise<Buffer>): BuiltFile {
  return { type: types[extname(name)] ?? 'application/octet-stream', document: staticDocument(read) }
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}
