/** Compiles and packs @muster/client and @muster/react. node scripts/libraries.js [folder for the tarballs] */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const compiled = join(root, 'dist/packages')
const target = resolve(process.argv[2] ?? join(root, 'dist'))

rmSync(compiled, { recursive: true, force: true })
mkdirSync(target, { recursive: true })
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.packages.json'], { cwd: root })
for (const name of ['client', 'react']) pack(name)

function pack(name) {
  const folder = join(root, `dist/${name}-package`)
  rmSync(folder, { recursive: true, force: true })
  cpSync(join(compiled, name, 'src'), join(folder, 'dist'), { recursive: true })
  for (const file of [`${name}/README.md`, 'LICENSE']) cpSync(join(root, file), join(folder, file.split('/').at(-1)))
  const manifest = JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8'))
  // A checkout imports the sources.
  manifest.exports = { '.': { types: './dist/index.d.ts', default: './dist/index.js' } }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const args = ['pack', '--silent', '--pack-destination', target]
  const file = execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }).trim()
  process.stdout.write(`${join(target, file)}\n`)
}
