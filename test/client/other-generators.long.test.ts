import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const document = join(root, 'openapi.json')

/** Installed here and not in the repository: no one else needs them. */
const packages = ['@hey-api/openapi-ts@0.99.0', 'orval@8.38.0', 'typescript@5.9.3']

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'muster-generators-'))
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  writeFileSync(
    join(folder, 'orval.config.cjs'),
    `module.exports = { muster: { input: ${JSON.stringify(document)}, output: { target: 'orval/api.ts', client: 'fetch' } } }`,
  )
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        target: 'ES2022',
        lib: ['ES2023', 'DOM', 'DOM.Iterable'],
        module: 'ESNext',
        moduleResolution: 'Bundler',
        types: [],
      },
      include: ['hey', 'orval'],
    }),
  )
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  ['@hey-api/openapi-ts', ['openapi-ts', '-i', document, '-o', 'hey'], 'hey'],
  ['orval', ['orval', '--config', 'orval.config.cjs'], 'orval'],
])('the client that %s generates from openapi.json compiles strictly', async (_name, [command = '', ...args], made) => {
  await run(join(folder, 'node_modules/.bin', command), args)
  writeFileSync(join(folder, `tsconfig.${made}.json`), JSON.stringify({ extends: './tsconfig.json', include: [made] }))
  await run(process.execPath, [join(folder, 'node_modules/typescript/bin/tsc'), '-p', `tsconfig.${made}.json`])
})

/** Fails with what the program wrote. */
async function run(command: string, args: readonly string[]): Promise<void> {
  await promisify(execFile)(command, args, { cwd: folder, encoding: 'utf8' }).catch(
    (error: { readonly stdout: string; readonly stderr: string }) => expect.fail(error.stdout + error.stderr),
  )
}
