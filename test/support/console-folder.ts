import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface ConsoleFolder {
  readonly path: string
  remove(): void
}

/** A folder like that of the built console, with these files beside a page. */
export function makeConsoleFolder(files: Readonly<Record<string, string | Buffer>> = {}): ConsoleFolder {
  const path = mkdtempSync(join(tmpdir(), 'muster-console-'))
  for (const [name, content] of Object.entries({ 'index.html': '<!doctype html>\n', ...files })) {
    const file = join(path, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  return { path, remove: () => rmSync(path, { recursive: true }) }
}
