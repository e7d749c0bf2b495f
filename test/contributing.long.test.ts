import { expect, onTestFinished, test } from 'vitest'
import { type Checkout, commandsOf, editsOf, newCheckout, readRecipe } from './support/recipe.ts'
import { recipes } from './support/recipes.ts'

const timeout = 600_000

test.each(recipes)(
  '$heading: the recipe, followed to the letter, ends with a green build',
  { timeout },
  async (recipe) => {
    const steps = readRecipe(recipe.page, recipe.heading)
    const checkout = checkoutForTest()
    checkout.apply(editsOf(steps))
    for (const command of commandsOf(steps)) expect(await checkout.run(command)).toBeUndefined()
  },
)

function checkoutForTest(): Checkout {
  const checkout = newCheckout()
  onTestFinished(() => checkout.remove())
  return checkout
}
