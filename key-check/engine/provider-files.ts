import { readdir } from 'node:fs/promises'

/**
 * Every provider file as a module, by its id. In a bundle, scripts/folder-lists.js replaces this file with a static list, so that the start
 * opens one file instead of one per provider.
 */
export async function importProviderFiles(
  folder: URL = new URL('../providers/', import.meta.url),
): Promise<ReadonlyMap<string, unknown>> {
  const files = (await readdir(folder)).filter((file) => /^[a-z0-9-]+\.(?:ts|js)$/.test(file)).sort()
  const modules = files.map(
    async (file) => [file.replace(/\.[tj]s$/, ''), await import(new URL(file, folder).href)] as const,
  )
  return new Map(await Promise.all(modules))
}
