/** A bundler plugin that replaces folder listings with static lists. */
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

export const folderLists = {
  name: 'folder-lists',
  load: (id) => (nameOf(id) === undefined ? null : folderList(id)),
}

const exportOf = {
  provider: (list) => `export const importProviderFiles = async () => ${list}`,
  processor: (list) => `export const processorFiles = ${list}`,
}

/** `provider-files.ts` and `processor-files.ts` import a folder file by file. */
function nameOf(id) {
  return /^(provider|processor)-files\.ts$/.exec(basename(id))?.[1]
}

/** The same modules as a static list: a start opens one file instead of one per provider. */
function folderList(id) {
  const name = nameOf(id)
  const folder = [join(dirname(id), `${name}s`), join(dirname(id), '..', `${name}s`)].find(existsSync)
  const paths = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    // A folder beside a file of the same name belongs to that file.
    if (entry.isDirectory() && existsSync(join(folder, `${entry.name}.ts`))) return []
    if (entry.isDirectory()) return [join(entry.name, `${entry.name}.ts`)]
    return entry.name.endsWith('.ts') ? [entry.name] : []
  })
  const ids = paths.sort().map((path) => basename(path, '.ts'))
  const imports = paths.map((path, index) => `import * as m${index} from ${JSON.stringify(join(folder, path))}`)
  const list = `new Map([${ids.map((found, index) => `['${found}', m${index}]`).join(', ')}])`
  return `${imports.join('\n')}\n${exportOf[name](list)}\n`
}
