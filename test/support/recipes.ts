interface Recipe {
  readonly page: string
  readonly heading: string
}

/** The recipes that a newcomer can follow to the letter, and that the tests follow. */
export const recipes: readonly Recipe[] = [
  { page: 'CONTRIBUTING.md', heading: 'Add a field to user data' },
  { page: 'CONTRIBUTING.md', heading: 'Add a filter to the list of users' },
  { page: 'CONTRIBUTING.md', heading: 'Add an operation' },
  { page: 'CONTRIBUTING.md', heading: 'Add a payment processor' },
  { page: 'docs/add-a-provider.md', heading: 'Adding a provider' },
]
