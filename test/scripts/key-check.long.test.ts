import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { faultToken } from '../../simulators/cloudflare/faults.ts'
import { startCloudflareSimulator } from '../../simulators/cloudflare/server.ts'
import { samples } from '../../simulators/cloudflare/state.ts'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const dependencies = ['ipaddr.js', 'lru-cache', 'undici']
/** A program of another product, in an empty folder, with the package installed from its tarball. */
let folder: string
let installed: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'muster-key-check-'))
  const { stdout } = await run(process.execPath, [join(root, 'scripts/key-check.js'), folder], { cwd: root })
  const tarball = stdout.trim().split('\n').at(-1) ?? ''
  const cwd = join(folder, 'program')
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ name: 'program', private: true, type: 'module' }))
  const { stderr } = await run('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd })
  // What npm says of the settings of this machine is not about the package.
  expect(stderr.split('\n').filter((line) => line !== '' && !/ Unknown \w+ config /.test(line))).toEqual([])
  installed = join(cwd, 'node_modules')
  folder = cwd
})
afterAll(() => rmSync(resolve(folder, '..'), { recursive: true }))

test('the package is one program with its types, its README and its licence, and runs nothing at its installation', () => {
  const own = join(installed, '@muster/key-check')
  expect(readdirSync(own).sort()).toEqual([
    'LICENSE',
    'README.md',
    'api.d.ts',
    'calls.d.ts',
    'failure-counts.d.ts',
    'index.d.ts',
    'index.js',
    'package.json',
  ])
  expect(manifestIn(own)).not.toHaveProperty('scripts')
  for (const file of readdirSync(own)) expect(readFileSync(join(own, file), 'utf8'), file).not.toContain(root)
})

test('installed with it are its three dependencies, in the versions of the service, and neither fastify, pg nor typebox', async () => {
  expect(readdirSync(installed).filter((name) => !name.startsWith('.'))).toEqual(['@muster', ...dependencies])
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  const all = Object.keys(lock.packages).filter((path) => path !== '')
  expect(all.sort()).toEqual(['@muster/key-check', ...dependencies].map((name) => `node_modules/${name}`))
  await run('npm', ['ls', '--all'], { cwd: folder })
  const ofService = manifestIn(root).dependencies
  const own = manifestIn(join(installed, '@muster/key-check')).dependencies
  expect(own).toEqual(Object.fromEntries(dependencies.map((name) => [name, ofService[name]])))
})

test('the programs of its README compile strictly, with its types checked, and the first tells valid, invalid and undetermined', async () => {
  const [first = '', second = ''] = await compiled()
  const simulator = await startCloudflareSimulator()
  onTestFinished(() => simulator.close())
  const program = readFileSync(first, 'utf8').replace(
    'keyChecks()',
    'keyChecks({ baseUrls: { cloudflare: process.env.URL } })',
  )
  expect(program).toContain('baseUrls')
  writeFileSync(first, program)
  const printed = async (key: string) => {
    const env = { PATH: process.env.PATH, URL: simulator.url, KEY: key }
    return (await run(process.execPath, [first], { cwd: folder, env })).stdout
  }
  expect(await printed(samples.userToken)).toBe(
    'valid: valid The Cloudflare API token is genuine; its permissions were not checked.\n',
  )
  expect(await printed(samples.unknownUserToken)).toMatch(/^invalid: not_recognised Cloudflare does not recognize /)
  expect(await printed(faultToken('html_502'))).toMatch(
    /^unknown: provider_answer_unexpected Cloudflare sent a response /,
  )
  expect(await printed(faultToken('rate_limit_971'))).toMatch(/^unknown: provider_busy .*\ntry again in 7 seconds\n$/)
  expect(simulator.received.length).toBeGreaterThanOrEqual(4)

  // Without a key there is nothing to call the provider with.
  const env = { PATH: process.env.PATH, AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE' }
  const { stdout } = await run(process.execPath, [second], { cwd: folder, env })
  expect(stdout).toMatch(/^api_key \/parts\/accessKeyId .* required$/m)
  expect(stdout).toMatch(/^api_key \/apiKey .* required$/m)
  expect(stdout).toMatch(/^invalid$/m)
})

/** The paths of the compiled programs. */
async function compiled(): Promise<readonly string[]> {
  const readme = readFileSync(join(installed, '@muster/key-check/README.md'), 'utf8')
  const programs = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, program = '']) => program)
  expect(programs.length).toBe(2)
  const names = programs.map((program, n) => {
    writeFileSync(join(folder, `program-${n}.ts`), program)
    return `program-${n}`
  })
  const compilerOptions = {
    target: 'ES2022',
    module: 'NodeNext',
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const { stdout } = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]).catch(
    (error: { stdout: string }) => error,
  )
  expect(stdout).toBe('')
  return names.map((name) => join(folder, `${name}.js`))
}

function manifestIn(at: string): { readonly dependencies: Readonly<Record<string, string>> } {
  return JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'))
}
