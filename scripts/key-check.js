/**
 * Builds the package @muster/key-check, for programs that check keys without the service: one bundled file and its
 * types, packed by `npm pack`. docs/checking-keys.md says how to use it.
 * node scripts/key-check.js [folder for the tarball]
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import ts from 'typescript'
import { folderLists } from './folder-lists.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'key-check')
const folder = join(root, 'dist/key-check-package')
const target = resolve(process.argv[2] ?? join(root, 'dist'))
const { dependencies } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
await bundle()
writeTypes()
for (const file of ['package.json', 'README.md']) copyFileSync(join(source, file), join(folder, file))
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
mkdirSync(target, { recursive: true })
const args = ['pack', '--silent', '--pack-destination', target]
const name = execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }).trim()
process.stdout.write(`${join(target, name)}\n`)

/** The dependencies stay external, so that the embedding program can update them. */
async function bundle() {
  const outside = Object.keys(dependencies)
  const build = await rolldown({
    cwd: root,
    input: { index: join(source, 'index.ts') },
    platform: 'node',
    external: outside,
    plugins: [folderLists],
    logLevel: 'warn',
  })
  const { output } = await build.write({ dir: folder, format: 'esm', entryFileNames: '[name].js' })
  await build.close()
  const [{ imports, dynamicImports }, ...others] = output
  const unknown = [...imports, ...dynamicImports].filter((from) => !from.startsWith('node:') && !outside.includes(from))
  if (others.length > 0 || unknown.length > 0)
    throw new Error(`The bundle is not one file, or imports what key-check/package.json does not name: ${unknown}`)
}

/** For the public sources. Each is translated separately, because their exports have explicit types. */
function writeTypes() {
  const compilerOptions = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext, declaration: true }
  for (const file of ['api.ts', 'calls.ts', 'failure-counts.ts', 'index.ts']) {
    const text = readFileSync(join(source, file), 'utf8')
    const { outputText, diagnostics = [] } = ts.transpileDeclaration(text, { fileName: file, compilerOptions })
    if (diagnostics.length > 0)
      throw new Error(`${file}: ${ts.flattenDiagnosticMessageText(diagnostics[0].messageText, ' ')}`)
    writeFileSync(join(folder, file.replace(/\.ts$/, '.d.ts')), outputText.replaceAll(/'(\.\/[\w-]+)\.ts'/g, "'$1.js'"))
  }
}
