/**
 * Makes each fault of test/mutants.ts in a copy of the checkout, and expects its test to fail.
 * Run: `node --import ./test/support/typescript.mjs scripts/mutate.ts [part of a file, fault or test]`. Ends with 1 when a test passes.
 */
import { type Mutant, mutants } from '../test/mutants.ts'
import { type Checkout, newCheckout } from '../test/support/recipe.ts'

const wanted = process.argv[2] ?? ''
const chosen = mutants.filter(({ file, fault, test }) => `${file} ${fault} ${test}`.includes(wanted))
if (chosen.length === 0) throw new Error(`no mutant fits "${wanted}"`)

const checkout = newCheckout()
process.once('exit', () => checkout.remove())
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

let survivors = 0
for (const mutant of chosen) {
  const result = await tryMutant(checkout, mutant)
  if (result !== 'red') survivors += 1
  console.log(`${result}: ${mutant.fault} (${mutant.file}; ${mutant.test})`)
}
console.log(`${chosen.length} mutants, ${survivors} survived`)
process.exitCode = survivors === 0 ? 0 : 1

/** `survived` is a test that passes with the fault; `broken` a run that failed for another reason. */
async function tryMutant(copy: Checkout, { file, search, replace, test, title }: Mutant): Promise<string> {
  let original = ''
  copy.change(file, (text) => {
    original = text
    return withFault(text, search, replace)
  })
  const printed = await copy.run(`npx vitest run ${test} -t '${patternOf(title)}'`)
  copy.change(file, () => original)
  if (printed === undefined) return 'survived'
  return /Tests .*\d failed/.test(printed) && !/Failed Suites/.test(printed) ? 'red' : `broken\n${printed}`
}

function withFault(text: string, search: string, replace: string): string {
  const parts = text.split(search)
  if (parts.length !== 2) throw new Error(`not exactly once: ${search}`)
  return parts.join(replace)
}

/** Vitest takes a regular expression; what stands for a parameter of the title matches anything. */
function patternOf(title: string): string {
  return title.replaceAll(/[^\w %—]/g, '.').replaceAll('%s', '.*')
}
