import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { textFiles } from '../../tools/release/version.js'

const root = resolve(import.meta.dirname, '../..')
const program = join(root, 'tools/release.js')

test('the first release is the version that stands there, and its notes are what was written: no user has seen what the commits changed', async () => {
  const { release, read, git } = repository('0.1.0')
  git('commit', '--allow-empty', '-m', 'Written before the commits had types')
  git('commit', '--allow-empty', '-m', 'feat(users): export as CSV')
  git('commit', '--allow-empty', '-m', 'refactor: words')
  await release()
  expect(read('package.json')).toContain('"version": "0.1.0"')
  expect(read('CHANGELOG.md')).toMatch(
    /^# Changelog\n\n## \[Unreleased\]\n\n## \[0\.1\.0\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- By hand\.\n$/,
  )
  expect(JSON.parse(read('test/releases/0.1.0.json'))).toEqual({ migration: '001_a', statements: {} })
  expect(git('tag')).toBe('v0.1.0')
})

test('a later release raises every version together, in one commit with a tag that holds the notes', async () => {
  const { release, read, git } = repository('0.1.0')
  await release()
  git('commit', '--allow-empty', '-m', 'fix: a bug')
  git('commit', '--allow-empty', '-m', 'feat!: an option is gone')
  await release()
  const lock: unknown = JSON.parse(read('package-lock.json'))
  const own = { version: '0.2.0' }
  expect(lock).toMatchObject({ ...own, packages: { '': own, cli: own, client: own, react: own } })
  for (const file of [
    'package.json',
    'cli/package.json',
    'client/package.json',
    'key-check/package.json',
    'react/package.json',
    'openapi.json',
    ...textFiles,
  ])
    expect(read(file)).toContain('0.2.0')
  expect(git('log', '-1', '--format=%s')).toBe('chore(release): v0.2.0')
  expect(git('status', '--porcelain')).toBe('')
  const notes = git('tag', '-l', '--format=%(contents)', 'v0.2.0')
  expect(notes).toBe('Muster 0.2.0\n\n### Changed\n\n- **Breaking:** An option is gone.\n\n### Fixed\n\n- A bug.')
  const versions = [...read('CHANGELOG.md').matchAll(/^## \[(.*)\]/gm)].map(([, version]) => version)
  expect(versions).toEqual(['Unreleased', '0.2.0', '0.1.0'])
})

test('a dry run prints the notes and changes nothing; a release refuses changes that are not committed', async () => {
  const { release, git, folder } = repository('0.1.0')
  writeFileSync(join(folder, 'new.txt'), '')
  expect(await release('--dry-run')).toContain('Release v0.1.0\n\n### Added\n\n- By hand.')
  await expect(release()).rejects.toThrow('the tree is not clean')
  expect(git('tag')).toBe('')
  expect(git('status', '--porcelain')).toBe('?? new.txt')
})

test.runIf(existsSync(join(root, '.git')))('a release of this checkout can be tried', async () => {
  // The checkout may belong to another user, which git refuses by default.
  const trusted = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' }
  const options = { cwd: root, env: { ...process.env, ...trusted } }
  const dryRun = promisify(execFile)(process.execPath, [program, '--dry-run'], options)
  const tagsHere = execFileSync('git', ['tag', '--points-at', 'HEAD', '--list', 'v[0-9]*'], {
    ...options,
    encoding: 'utf8',
  })
  if (tagsHere !== '') return expect(dryRun).rejects.toThrow(`There is no commit since ${tagsHere.trim()}.`)
  const { stdout } = await dryRun
  expect(stdout).toMatch(/^(?:The contract is compatible with that of [\d.]+\.\n\n)?Release v\d+\.\d+\.\d+\n/)
})

/** A repository with one commit and the files that a release touches. */
function repository(version: string) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const identity = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@a.example' }
  const committer = { GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@a.example', GIT_CONFIG_GLOBAL: '/dev/null' }
  const env = { ...process.env, ...identity, ...committer }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' }).trim()
  const write = (file: string, content: object) => writeFileSync(join(folder, file), JSON.stringify(content, null, 2))

  const generate = `node -p "JSON.stringify({ version: require('./package.json').version, paths: {} })" > openapi.json`
  mkdirSync(join(folder, 'cli'))
  mkdirSync(join(folder, 'client'))
  mkdirSync(join(folder, 'key-check'))
  mkdirSync(join(folder, 'react'))
  mkdirSync(join(folder, 'scripts'))
  write('package.json', { name: 'muster', version, scripts: { generate } })
  const registry = `console.log(JSON.stringify({ migration: '001_a', statements: {} }))\nprocess.exit()`
  writeFileSync(join(folder, 'scripts/statement-registry.mjs'), registry)
  writeFileSync(join(folder, 'scripts/statements.ts'), '')
  for (const file of textFiles) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), `npm install ./muster-server-${version}.tgz\n`)
  }
  write('cli/package.json', { name: 'muster-cli', version })
  write('client/package.json', { name: '@muster/client', version })
  write('key-check/package.json', { name: '@muster/key-check', version })
  write('react/package.json', { name: '@muster/react', version })
  write('package-lock.json', {
    version,
    packages: {
      '': { version },
      cli: { version },
      client: { version },
      react: { version },
      'node_modules/a': { version },
    },
  })
  write('openapi.json', { version, paths: {} })
  writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- By hand.\n')
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '-m', 'chore: begin')

  const release = async (...args: string[]) =>
    (await promisify(execFile)(process.execPath, [program, '--no-files', ...args], { cwd: folder, env })).stdout
  return { folder, git, release, read: (file: string) => readFileSync(join(folder, file), 'utf8') }
}
