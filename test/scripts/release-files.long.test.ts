import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

test('without a network, a release of a clone has its packages, lists and checksums, made of the tagged commit; and what a later change breaks in its contract stops the next', async () => {
  const { folder, release, git } = await clone()
  const dry = await release('--dry-run', '--version', '99.0.0')
  expect(dry).toContain('Release v99.0.0')
  expect(await git('status', '--porcelain')).toBe('')

  const said = await release('--version', '99.0.0')
  expect(said).toContain('muster-99.0.0.image.tar: NOT MADE: there is no base image')
  expect(said).toContain('npm audit --omit=dev --audit-level=high: not run')
  const files = join(folder, 'dist/release/v99.0.0')
  expect(readdirSync(files).sort()).toEqual([
    'SHA256SUMS',
    'audit.txt',
    'licences.txt',
    'muster-99.0.0.cdx.json',
    'muster-99.0.0.openapi.json',
    'muster-client-99.0.0.tgz',
    'muster-key-check-99.0.0.tgz',
    'muster-react-99.0.0.tgz',
    'muster-server-99.0.0.tgz',
  ])
  await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: files })
  expect((await run('tail', ['-n', '+1', 'SHA256SUMS'], { cwd: files })).stdout.split('\n')).toHaveLength(9)
  const { stdout } = await run('tar', ['-xOzf', 'muster-server-99.0.0.tgz', 'package/package.json'], { cwd: files })
  expect(JSON.parse(stdout)).toMatchObject({ version: '99.0.0', gitHead: await git('rev-parse', 'v99.0.0^{commit}') })
  expect(readFileSync(join(files, 'licences.txt'), 'utf8')).toMatch(/^fastify \d+\.\d+\.\d+: MIT$/m)
  expect(await git('status', '--porcelain')).toBe('')
  expect(await git('show', '--name-only', '--format=', 'v99.0.0')).toContain('test/releases/99.0.0.contract.br')
  // The linter takes what a release has written as it is.
  await run(process.execPath, ['tools/node_modules/@biomejs/biome/bin/biome', 'ci', '.'], { cwd: folder })

  const path = join(folder, 'openapi.json')
  const document = JSON.parse(readFileSync(path, 'utf8'))
  delete document.paths['/api/v1/user/data']
  writeFileSync(path, JSON.stringify(document))
  await git('commit', '--all', '--message', 'feat: forget somebody')
  await expect(release('--dry-run')).rejects.toThrow('GET /api/v1/user/data is gone.')
  writeFileSync(join(folder, 'test/releases/intended-changes.txt'), 'GET /api/v1/user/data is gone.\n')
  await expect(release('--dry-run')).rejects.toThrow('99.1.0 is too low')
  expect(await release('--dry-run', '--version', '100.0.0')).toContain('Release v100.0.0')
}, 900_000)

/** A clone of what was committed here, with the packages of this checkout, no network, and a buildah that has no base image. */
async function clone() {
  const work = mkdtempSync(join(tmpdir(), 'muster-release-'))
  onTestFinished(() => rmSync(work, { recursive: true, force: true }))
  const folder = join(work, 'clone')
  const tools = join(work, 'tools')
  mkdirSync(tools)
  writeFileSync(join(tools, 'buildah'), '#!/bin/sh\necho "there is no base image" >&2\nexit 1\n', { mode: 0o755 })
  const env = {
    ...process.env,
    PATH: `${tools}${delimiter}${process.env.PATH}`,
    GIT_CONFIG_GLOBAL: '/dev/null',
    ...{ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' },
    ...{
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@a.example',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@a.example',
    },
    // Port 9, discard: nothing answers.
    ...{ npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' },
  }
  const git = async (...args: string[]) =>
    (await run('git', args, { cwd: folder, env, maxBuffer: 2 ** 26 })).stdout.trim()
  await run('git', ['clone', '--quiet', root, folder], { env })
  // The checkout may be that of a release, after which there is nothing to release yet.
  await git('commit', '--quiet', '--allow-empty', '--message', 'feat: something new')
  for (const path of ['node_modules', 'tools/node_modules']) symlinkSync(join(root, path), join(folder, path))
  // .gitignore names a folder, and this is a link.
  writeFileSync(join(folder, '.git/info/exclude'), 'node_modules\n')
  const release = async (...args: string[]) =>
    (await run(process.execPath, ['tools/release.js', ...args], { cwd: folder, env, maxBuffer: 2 ** 26 })).stdout
  return { folder, git, release }
}
