import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Checkout, commandsOf, type Edit, editsOf, newCheckout, readRecipe, type Step } from './recipe.ts'
import type { Recipe } from './recipes.ts'

/** Follows each recipe to the letter in a checkout of its own, and again without each of its steps. */
export function followRecipes(recipes: readonly Recipe[]): void {
  // A recipe takes half a minute on a machine of its own, and ten times as long on one that many share.
  vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })
  let checkout: Checkout

  // Checks the types once: each recipe then checks only what its edits concern.
  beforeAll(async () => {
    checkout = newCheckout()
    expect(await checkout.run('npx tsc --noEmit')).toBeUndefined()
    await checkout.keep()
  })

  beforeEach(() => checkout.reset())

  afterAll(() => checkout.remove())

  describe.each(recipes)('$heading', ({ page, heading }) => {
    const steps = readRecipe(page, heading)
    const edits = editsOf(steps)

    test('the recipe, followed to the letter, ends with a green build', async () => {
      checkout.apply(edits)
      expect(await firstFailure(checkout, commandsOf(steps))).toBeUndefined()
    })

    const needed = edits.filter((edit) => isNeeded(edit, steps)).map((edit) => [edit.title, edit] as const)
    test.each(needed)('without the step “%s” a command fails', async (_, left) => {
      checkout.apply(edits.filter((edit) => edit !== left))
      expect(await firstFailure(checkout, commandsOf(steps).flatMap(inParts))).toBeDefined()
    })
  })
}

/** What the first failing command printed; nothing where all succeed. */
async function firstFailure(checkout: Checkout, commands: readonly string[]): Promise<string | undefined> {
  for (const command of commands) {
    const failure = await checkout.run(command)
    if (failure !== undefined) return failure
  }
  return undefined
}

/** A run of tests as two, which end at the first failure: the files that the command names, then its folders. */
function inParts(command: string): readonly string[] {
  const [, paths] = /^npx vitest run (.+)$/.exec(command) ?? []
  if (paths === undefined) return [command]
  const isFile = (path: string) => path.endsWith('.ts')
  const all = paths.split(' ')
  return [all.filter(isFile), all.filter((path) => !isFile(path))]
    .filter((part) => part.length > 0)
    .map((part) => `npx vitest run --bail=1 ${part.join(' ')}`)
}

/** A new test guards the others. A file that later steps edit cannot be left out. */
function isNeeded(step: Edit, steps: readonly Step[]): boolean {
  const isEditedLater = editsOf(steps).some((other) => other !== step && other.file === step.file)
  return step.kind !== 'create' || !(isEditedLater || step.file.startsWith('test/'))
}
