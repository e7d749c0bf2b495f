import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { browserBundle } from '../support/browser-bundle.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(root, 'console/dist/index.html'), 'utf8')
const scriptsOfConsole = readdirSync(join(root, 'console/dist/console/assets')).filter((name) => name.endsWith('.js'))

/** Maximum size in bytes of JavaScript that a browser loads, compressed with brotli. */
const packages: readonly { name: string; bytesMax: number; scripts: () => Promise<string[]> | string[] }[] = [
  {
    name: 'the first screen of the console',
    bytesMax: 130_000,
    scripts: () => builtScripts(scriptsOfConsole.filter((name) => page.includes(name))),
  },
  { name: 'the whole console', bytesMax: 350_000, scripts: () => builtScripts(scriptsOfConsole) },
  {
    name: '@muster/client',
    bytesMax: 5_000,
    scripts: async () => [await browserBundle(join(root, 'client/src/index.ts'))],
  },
  {
    name: '@muster/react, without React and the client',
    bytesMax: 2_000,
    scripts: async () => [
      await browserBundle(join(root, 'react/src/index.tsx'), ['react', /^react\//, '@muster/client']),
    ],
  },
]

test.each(packages)('$name: at most $bytesMax bytes compressed', async ({ name, bytesMax, scripts }) => {
  const all = await scripts()
  const size = all.reduce((total, text) => total + brotliCompressSync(text).length, 0)
  process.stdout.write(`size: ${name}, ${size} of ${bytesMax} bytes\n`)
  expect(size).toBeGreaterThan(500)
  expect(size).toBeLessThan(bytesMax)
})

function builtScripts(names: readonly string[]): string[] {
  return names.map((name) => readFileSync(join(root, 'console/dist/console/assets', name), 'utf8'))
}
