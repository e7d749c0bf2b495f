import { extname } from 'node:path'
import { type StaticDocument, staticDocument } from './static-document.ts'

/** A file that a build made, compressed when it is first asked for. */
export interface BuiltFile {
  readonly type: string
  document(): Promise<StaticDocument>
}

/** `read` is called once, for the first reader. */
export function builtFile(name: string, read: () => Buffer | Promise<Buffer>): BuiltFile {
  let document: Promise<StaticDocument> | undefined
  return {
    type: types[extname(name)] ?? 'application/octet-stream',
    document() {
      document ??= Promise.resolve(read()).then(staticDocument)
      return document
    },
  }
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
