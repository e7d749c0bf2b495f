import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'

const module = fileURLToPath(new URL('../node_modules/@scalar/fastify-api-reference/dist/index.js', import.meta.url))

/**
 * Writes Scalar's script for browsers, which the page /docs loads, to the folder as reference.js. Returns the file that it comes from.
 * The only package that has the script in one file is a plugin for Fastify, which has it as a string. It is taken as text: the plugin itself
 * would need eight more packages, and Node 22 (`overrides` in package.json leaves them out).
 */
export function writeReference(folder) {
  const [, literal] = /^var standalone_default = ("\(function\(\)\{.*");$/m.exec(readFileSync(module, 'utf8')) ?? []
  if (literal === undefined)
    throw new Error(`${module} does not have the script where it was: see scripts/reference.js.`)
  writeFileSync(join(folder, 'reference.js'), runInNewContext(literal))
  return module
}
