import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { newestMigration } from '../../src/platform/database/schema.ts'
import { installNode, oldestNode } from '../support/other-node.ts'
import { startProcessOfService } from '../support/service-process.ts'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

/** Each file of the package is one of these: no test, no measurement, no recording, no source, nothing of git, no settings of npm. */
const expected = [
  /^(?:CHANGELOG\.md|LICENSE|README\.md|package\.json)$/,
  /^cli\/bin\.js$/,
  /^console\/dist\/(?:index\.html|licences\.md|console\/assets\/[\w-]+\.(?:js|css|svg))$/,
  /^dist\/bundle\/(?:[\w.-]+\.cjs|licences\.txt|reference\.(?:js|css))$/,
  /^docs\/problems\.md$/,
  /^dist\/guide\/(?:\w[\w-]*\/)?(?:[\w-]+\.html|hashmap\.json)$/,
  /^dist\/guide\/assets\/(?:chunks\/)?[@\w.-]+\.(?:css|js)$/,
  /^dist\/guide\/files\/[\w.-]+$/,
  /^lists\/common-passwords\.txt$/,
  /^mails\/(?:[\w-]+\/)?[\w.-]+$/,
  /^migrations\/\d{3}_\w+\.sql$/,
  /^pages\/link\.(?:css|html|js)$/,
]

test('the package has what the service reads at run time and nothing else, depends on exact versions, and runs nothing at its installation', async () => {
  const { tarball, folder } = await packed()
  await run('tar', ['-xzf', tarball, '-C', folder])
  const unpacked = join(folder, 'package')
  const files = filesBelow(unpacked)
  expect(files.filter((file) => !expected.some((pattern) => pattern.test(file)))).toEqual([])
  for (const pattern of expected) expect(files.filter((file) => pattern.test(file)).length).toBeGreaterThan(0)
  for (const room of ['migrations', 'mails', 'pages', 'lists'])
    expect(files.filter((file) => file.startsWith(`${room}/`)).length).toBe(filesBelow(join(root, room)).length)

  const manifest = manifestIn(unpacked)
  expect(manifest).toMatchObject({ name: '@muster/server', bin: { muster: 'cli/bin.js' } })
  expect(manifest).not.toHaveProperty('scripts')
  expect(manifest).not.toHaveProperty('private')
  const { dependencies } = manifestIn(root)
  for (const [name, version] of Object.entries(manifest.dependencies)) {
    expect(version).toBe(dependencies[name])
    expect(version).toMatch(/^\d+\.\d+\.\d+/)
  }
  const git = (...args: string[]) => run('git', ['-c', 'safe.directory=*', '-C', root, ...args])
  const status = await git('status', '--porcelain').catch(() => undefined)
  if (status?.stdout === '') expect(manifest.gitHead).toBe((await git('rev-parse', 'HEAD')).stdout.trim())
  else expect(manifest).not.toHaveProperty('gitHead')

  // Paths of the machine that made it are in none of them, and every licence of what is bundled is.
  for (const file of files) expect(readFileSync(join(unpacked, file)).includes(`${root}/`), file).toBe(false)
  const licences = readFileSync(join(unpacked, 'dist/bundle/licences.txt'), 'utf8')
  for (const name of ['fastify', 'pg', 'undici', '@fastify/swagger-ui'])
    expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+: MIT$`, 'm'))
})

/** Paths from there. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}

/** The Node and npm that run the tests, and those of the image. */
const runtimes = [
  { title: 'this Node', path: async () => process.env.PATH ?? '' },
  { title: `Node ${oldestNode}, the oldest`, path: (folder: string) => installNode(oldestNode, folder) },
] as const

test.each(runtimes)(
  'installed into an empty folder on $title, it warns of nothing, starts, is ready, and the three operations answer the first administrator',
  async ({ path }) => {
    const { tarball, folder } = await packed()
    const cwd = join(folder, 'empty')
    await run('mkdir', [cwd])
    // An embedded PostgreSQL that root starts runs as another user, who must reach its programs.
    chmodSync(folder, 0o755)
    const env = { ...process.env, PATH: await path(join(folder, 'runtime')) }
    const { stderr } = await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', tarball], {
      cwd,
      env,
    })
    // What npm says of the settings of this machine is not about the package.
    expect(stderr.split('\n').filter((line) => line !== '' && !/ Unknown \w+ config /.test(line))).toEqual([])
    await run('npm', ['ls', '--omit=dev', '--all'], { cwd, env })

    const installed = join(cwd, 'node_modules/@muster/server')
    const manifest = manifestIn(installed)
    const commit = 'c0ffee'.padEnd(40, '0')
    writeFileSync(join(installed, 'package.json'), JSON.stringify({ ...manifest, gitHead: commit }))
    expect((await run('npx', ['muster', '--version'], { cwd, env })).stdout).toBe(
      `${manifest.version} (${commit})\ncontract /api/v1, schema ${newestMigration()}\n`,
    )

    const data = join(cwd, 'data')
    const settings = { MUSTER_DATA_DIR: data, HOME: folder, PATH: env.PATH }
    // What npx runs. npx itself ends at SIGTERM, with its shell, and passes it to no one else.
    const service = await startProcessOfService(settings, [join(cwd, 'node_modules/.bin/muster'), 'serve'])
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
    await answersAdministrator(service.url, data)
    // What it serves from files and from the parts of the bundle that are loaded on use.
    for (const file of [
      '/openapi.json',
      '/docs',
      '/docs/reference.js',
      '/docs/problems.md',
      '/docs/guide',
      '/auth/link',
    ])
      expect((await fetch(`${service.url}${file}`)).status, file).toBe(200)
    service.child.kill('SIGTERM')
    expect(await service.ended()).toBe(0)
  },
)

/** The three operations, by the token in first-admin.txt. */
async function answersAdministrator(url: string, data: string): Promise<void> {
  const [, token = ''] = /^TOKEN=(\S+)$/m.exec(readFileSync(join(data, 'first-admin.txt'), 'utf8')) ?? []
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const ask = async (path: string, init = {}) => {
    const answer = await fetch(`${url}${path}`, { headers, ...init })
    return { status: answer.status, body: await answer.json() }
  }
  expect(await ask('/api/v1/user/data')).toMatchObject({ status: 200, body: { isFirstLogin: expect.any(Boolean) } })
  expect(await ask('/api/v1/admin/users/fetch')).toMatchObject({
    status: 200,
    body: { users: [{ email: 'admin@muster.local' }] },
  })
  const key = JSON.stringify({ apiKey: 'no key at all', keyType: 'api_token' })
  expect(await ask('/api/v1/provider/keys/validate', { method: 'POST', body: key })).toMatchObject({
    status: 200,
    body: { isValid: false },
  })
}

/** The tarball, in a folder of the test's own. */
async function packed() {
  const folder = mkdtempSync(join(tmpdir(), 'muster-package-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { stdout } = await run(process.execPath, [join(root, 'scripts/package.js'), folder], { cwd: root })
  return { folder, tarball: stdout.trim().split('\n').at(-1) ?? '' }
}

interface Manifest {
  readonly version: string
  readonly gitHead?: string
  readonly dependencies: Readonly<Record<string, string>>
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}
