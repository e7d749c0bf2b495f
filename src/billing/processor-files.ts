import { readdir } from 'node:fs/promises'

/**
 * Every processor's file as a module, by its id: `processors/<id>.ts` or `processors/<id>/<id>.ts`. The build replaces this module with a
 * static list (scripts/folder-lists.js).
 */
export const processorFiles: ReadonlyMap<string, unknown> = await importProcessorFiles(
  new URL('./processors/', import.meta.url),
)

export async function importProcessorFiles(folder: URL): Promise<ReadonlyMap<string, unknown>> {
  const entries = await readdir(folder, { withFileTypes: true })
  const paths = entries.flatMap((entry): [string, string][] => {
    if (entry.isDirectory()) return [[entry.name, `${entry.name}/${entry.name}.ts`]]
    return entry.name.endsWith('.ts') ? [[entry.name.slice(0, -'.ts'.length), entry.name]] : []
  })
  const modules = paths.sort().map(async ([id, path]) => [id, await import(new URL(path, folder).href)] as const)
  return new Map(await Promise.all(modules))
}
