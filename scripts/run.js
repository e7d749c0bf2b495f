// Runs a program after building what is stale: `node scripts/run.js <program> [arguments]`. The program runs in this process, so
// that it receives the signals itself.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildIfStale } from './build-if-stale.js'

const [node, , name = '', ...args] = process.argv
const program = resolve(name)
if (buildIfStale()) {
  process.argv = [node, program, ...args]
  await import(pathToFileURL(program).href)
} else {
  process.exitCode = 1
}
