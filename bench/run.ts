import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, parse } from 'node:path'

/**
 * npm run bench                 every measurement, one after the other
 * npm run bench -- NAME [...]   one of them, with its own options
 * Ends with 1 where a measurement missed its target or could not be taken.
 */
const folder = import.meta.dirname
const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isFile() && /^[a-z-]+\.js$/.test(entry.name) && entry.name !== 'run.js')
  .map(({ name }) => parse(name).name)

const [chosen, ...options] = process.argv.slice(2)
if (chosen !== undefined && !names.includes(chosen)) {
  process.stderr.write(`There is no measurement ${chosen}. There are: ${names.join(', ')}.\n`)
  process.exitCode = 2
} else {
  for (const name of chosen === undefined ? names : [chosen]) {
    process.stdout.write(`\n== ${name}\n`)
    const { status } = spawnSync(process.execPath, [join(folder, `${name}.js`), ...options], { stdio: 'inherit' })
    if (status !== 0) process.exitCode = 1
  }
}
