import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { packageRoot } from '../../src/platform/package-root.ts'
import { note } from '../print.ts'

export function openapi(program: Command): void {
  program
    .command('openapi')
    .summary('Print the OpenAPI document.')
    .description('Print the API as an OpenAPI 3.1 document, with every operation that the service can have.')
    .option('--write', 'Write openapi.json beside package.json instead.')
    .addHelpText('after', '\nExample:\n  muster openapi > muster.json')
    .action(({ write }: { write?: true }) => (write ? writeDocument() : printDocument()))
}

async function printDocument(): Promise<void> {
  process.stdout.write(await documentText())
}

async function writeDocument(): Promise<void> {
  const path = join(packageRoot(), 'openapi.json')
  await writeFile(path, await documentText())
  note(`Written: ${path}`)
}

/** Loaded here, because the schemas take as long to load as the rest of the command line. */
async function documentText(): Promise<string> {
  const { openapiText } = await import('../openapi-text.ts')
  return openapiText()
}
