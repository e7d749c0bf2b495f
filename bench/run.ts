import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, parse } from 'node:path'

/**
 * npm run bench                 every measurement that needs no network, one after the other
 * npm run bench -- NAME [...]   one measurement, with its own options
 * Exits with 1 if a measurement missed its target or failed.
 */
const folder = import.meta.dirname
const needNetwork = ['peers']
const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isFile() && /^[a-z-]+\.ts$/.test(entry.name) && entry.name !== 'run.ts')
  .map(({ name }) => parse(name).name)

const [chosen, ...options] = process.argv.slice(2)
if (chosen !== undefined && !names.includes(chosen)) {
  process.stderr.write(`There is no measurement named ${chosen}. Choose one of: ${names.join(', ')}.\n`)
  process.exitCode = 2
} else {
  for (const name of chosen === undefined ? names.filter((name) => !needNetwork.includes(name)) : [chosen]) {
    process.stdout.write(`\n== ${name}\n`)
    const { status } = spawnSync(process.execPath, [join(folder, `${name}.ts`), ...options], { stdio: 'inherit' })
    if (status !== 0) process.exitCode = 1
  }
}
