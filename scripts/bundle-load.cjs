// Loads files of the bundle with the machine code of V8 that the build put beside each. It saves reading and compiling, which is
// most of a start. Where it does not fit, such as on another version of Node, V8 refuses it and compiles the text as ever.
'use strict'
const { readFileSync } = require('node:fs')
const { createRequire, wrap } = require('node:module')
const { join } = require('node:path')
const { Script } = require('node:vm')

const outside = createRequire(__filename)
const loaded = new Map()

/** The exports of a file of the bundle, by its name. */
function load(name) {
  const known = loaded.get(name)
  if (known) return known.module.exports
  const file = join(__dirname, name)
  const script = new Script(wrap(readFileSync(file, 'utf8')), {
    filename: file,
    cachedData: codeOf(file),
  })
  const module = { exports: {} }
  loaded.set(name, { module, script, file })
  script.runInThisContext().call(module.exports, module.exports, requireHere, module, file, __dirname)
  return module.exports
}

function requireHere(id) {
  return id.startsWith('./') ? load(id.slice(2)) : outside(id)
}
Object.assign(requireHere, { resolve: outside.resolve, cache: outside.cache, import: (id) => import(id) })

function codeOf(file) {
  try {
    return readFileSync(`${file}.code`)
  } catch {
    return undefined
  }
}

module.exports = { load, loaded }
