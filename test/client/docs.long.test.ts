import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import ts from 'typescript'
import { expect, onTestFinished, test } from 'vitest'
import { startCloudflareSimulator } from '../../simulators/cloudflare/server.ts'
import { samples } from '../../simulators/cloudflare/state.ts'
import { serviceForTest } from '../support/service.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(root, 'docs/client.md'), 'utf8')
const programs = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, program = '']) => program)

test('the programs of docs/client.md compile strictly, and the first calls the three operations of the service', async () => {
  const folder = folderForTest()
  const [program = ''] = compile(folder)
  const simulator = await startCloudflareSimulator()
  onTestFinished(() => simulator.close())
  const service = await serviceForTest({ env: { MUSTER_CLOUDFLARE_URL: simulator.url } })
  const run = async (role: string) => {
    const { token, email } = await service.person({ role })
    const env = { PATH: process.env.PATH, MUSTER: service.url, TOKEN: token, KEY: samples.userToken }
    const { stdout } = await promisify(execFile)(process.execPath, [program], { env })
    return { email, lines: stdout.trimEnd().split('\n') }
  }
  const admin = await run('admin')
  expect(admin.lines).toEqual(['plan: Free', `administrator: ${admin.email}`, expect.stringMatching(/^key: .*valid/)])
  const user = await run('user')
  expect(user.lines.slice(0, 2)).toEqual(['plan: Free', 'You may not list users.'])
})

/** Below the root, where Node finds the package by its name, and outside of node_modules, where it does not run TypeScript. */
function folderForTest(): string {
  const parent = join(root, 'dist')
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'client-docs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Checks the types of the programs, and returns their paths. */
function compile(folder: string): readonly string[] {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.asynciterable.d.ts'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  }
  const paths = programs.map((program, n) => {
    const path = join(folder, `program-${n}.mts`)
    writeFileSync(path, program)
    return path
  })
  const faults = ts.getPreEmitDiagnostics(ts.createProgram(paths, options))
  expect(faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([])
  return paths
}
