export interface Recipe {
  readonly page: string
  readonly heading: string
}

export const recipesOfOperations: readonly Recipe[] = [
  { page: 'docs/contributing/add-a-field-to-user-data.md', heading: 'Add a field to user data' },
  { page: 'docs/contributing/add-a-filter.md', heading: 'Add a filter to the list of users' },
  { page: 'docs/contributing/add-an-operation.md', heading: 'Add an operation' },
]

/** Of files that are found in their folder, and named nowhere else. */
export const recipesOfPlugins: readonly Recipe[] = [
  { page: 'docs/contributing/add-a-payment-processor.md', heading: 'Add a payment processor' },
  { page: 'docs/contributing/add-a-provider.md', heading: 'Add a provider' },
]

/** The recipes that a newcomer can follow to the letter, and that the tests follow. */
export const recipes: readonly Recipe[] = [...recipesOfOperations, ...recipesOfPlugins]
