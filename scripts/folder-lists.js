/** A plugin for the bundler: folders whose files the sources find at the start, as lists that are written out. */
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const built = join(root, 'dist/')

export const folderLists = {
  name: 'folder-lists',
  load: (id) => (nameOf(id) === undefined ? null : folderList(id)),
}

const exportOf = {
  provider: (list) => `export const importProviderFiles = async () => ${list}`,
  processor: (list) => `export const processorFiles = ${list}`,
}

/** `provider-files` and `processor-files` import a folder file by file: as sources, or built in dist/. */
function nameOf(id) {
  return /^(provider|processor)-files\.[jt]s$/.exec(basename(id))?.[1]
}

/** The same modules written out: a start opens one file instead of one for each provider. */
function folderList(id) {
  const name = nameOf(id)
  const folder = [join(dirname(id), `${name}s`), join(dirname(id), '..', `${name}s`)].find(existsSync)
  // By the sources: dist/ may still hold what an earlier build left of a removed file.
  const sources = folder.startsWith(built) ? join(root, relative(built, folder)) : folder
  const extension = id.slice(-3)
  const paths = readdirSync(sources, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return [join(entry.name, `${entry.name}${extension}`)]
    return entry.name.endsWith('.ts') ? [entry.name.replace(/\.ts$/, extension)] : []
  })
  const ids = paths.sort().map((path) => basename(path, extension))
  const imports = paths.map((path, index) => `import * as m${index} from ${JSON.stringify(join(folder, path))}`)
  const list = `new Map([${ids.map((found, index) => `['${found}', m${index}]`).join(', ')}])`
  return `${imports.join('\n')}\n${exportOf[name](list)}\n`
}
