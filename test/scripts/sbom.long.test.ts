import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

test('the list of components is the same from two folders, and names what production needs with its hashes', async () => {
  const [first = '', second] = await Promise.all([sbom(), sbom()])
  expect(second).toBe(first)
  const { metadata, components }: { metadata: object; components: { name: string; hashes?: object[] }[] } =
    JSON.parse(first)
  expect(metadata).toMatchObject({ component: { name: 'muster' } })
  const names = components.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', '@node-rs/argon2', 'bcryptjs']))
  // What the browser gets is bundled from development dependencies.
  expect(names).toEqual(expect.arrayContaining(['react', '@tanstack/router-core', '@fastify/swagger-ui']))
  for (const tool of ['vitest', 'vite']) expect(names).not.toContain(tool)
  // The command line is of this repository.
  expect(components.filter(({ hashes }) => !hashes).map(({ name }) => name)).toEqual(['cli'])
})

/** Made in a folder of its own that has the manifests and the lock file only. */
async function sbom(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-sbom-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'cli'))
  for (const file of ['package.json', 'package-lock.json', 'cli/package.json'])
    cpSync(join(root, file), join(folder, file))
  const program = join(root, 'tools/release/sbom.js')
  return (await promisify(execFile)(process.execPath, [program], { cwd: folder, maxBuffer: 2 ** 26 })).stdout
}
