import { type Mutant, mutants } from '../../test/mutants.ts'
import { type Checkout, newCheckout } from '../../test/support/recipe.ts'

/** Makes each fault of test/mutants.ts in a copy of the checkout, and expects its test to fail. Answers whether each did. */
export async function tryFaults(): Promise<boolean> {
  let survivors = 0
  const left = [...mutants]
  const work = async () => {
    const checkout = newCheckout()
    process.once('exit', () => checkout.remove())
    for (let mutant = left.shift(); mutant; mutant = left.shift()) {
      const result = await tryFault(checkout, mutant)
      if (result !== 'red') survivors += 1
      console.log(`${result}: ${mutant.fault} (${mutant.file}; ${mutant.test})`)
    }
    checkout.remove()
  }
  await Promise.all([work(), work()])
  console.log(`${mutants.length} faults, ${survivors} survived`)
  return survivors === 0
}

/** `survived` is a test that passes with the fault; `broken` a run that failed for another reason. */
async function tryFault(copy: Checkout, { file, search, replace, test, title }: Mutant): Promise<string> {
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
