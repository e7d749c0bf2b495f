export interface Recipe {
  readonly page: string
  readonly heading: string
}

export const recipesOfOperations: readonly Recipe[] = [
  { page: 'CONTRIBUTING.md', heading: 'Add a field to user data' },
  { page: 'CONTRIBUTING.md', heading: 'Add a filter to the list of users' },
  { page: 'CONTRIBUTING.md', heading: 'Add an operation' },
]

/** Of files that are found in their folder, and named nowhere else. */
export const recipesOfPlugins: readonly Recipe[] = [
  { page: 'CONTRIBUTING.md', heading: 'Add a payment processor' },
  { page: 'docs/add-a-provider.md', heading: 'Adding a provider' },
]

/** The recipes that a newcomer can follow to the letter, and that the tests follow. */
export const recipes: readonly Recipe[] = [...recipesOfOperations, ...recipesOfPlugins]
