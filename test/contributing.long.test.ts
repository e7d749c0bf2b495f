import { describe, expect, onTestFinished, test } from 'vitest'
import { type Checkout, commandsOf, type Edit, editsOf, newCheckout, readRecipe, type Step } from './support/recipe.ts'
import { recipes } from './support/recipes.ts'

const timeout = 900_000

describe.each(recipes)('$heading', ({ page, heading, isGuarded = false }) => {
  const steps = readRecipe(page, heading)

  test('the recipe, followed to the letter, ends with a green build', { timeout }, async () => {
    expect(await follow(steps, editsOf(steps))).toBeUndefined()
  })

  const guarded = isGuarded ? editsOf(steps).filter((step) => isNeeded(step, steps)) : []
  test.each(guarded)('without the step “$title” a command fails', { timeout }, async (left) => {
    expect(
      await follow(
        steps,
        editsOf(steps).filter((edit) => edit !== left),
      ),
    ).toBeDefined()
  })
})

/** What the first failing command printed; nothing where all succeed. */
async function follow(steps: readonly Step[], edits: readonly Edit[]): Promise<string | undefined> {
  const checkout = checkoutForTest()
  checkout.apply(edits)
  for (const command of commandsOf(steps)) {
    const failure = await checkout.run(command)
    if (failure !== undefined) return failure
  }
  return undefined
}

/** A new test guards the others. A file that later steps edit cannot be left out. */
function isNeeded(step: Edit, steps: readonly Step[]): boolean {
  const isEditedLater = editsOf(steps).some((other) => other !== step && other.file === step.file)
  return step.kind !== 'create' || !(isEditedLater || step.file.startsWith('test/'))
}

function checkoutForTest(): Checkout {
  const checkout = newCheckout()
  onTestFinished(() => checkout.remove())
  return checkout
}
