import { createPreference } from '../store.ts'

type Density = 'comfortable' | 'compact'

/** How close the rows of tables are. */
export const density = createPreference<Density>('density', {
  values: ['comfortable', 'compact'],
  byDefault: 'comfortable',
  apply: (chosen) => {
    document.documentElement.dataset.density = chosen
  },
})

export function otherDensity(present: Density): Density {
  return present === 'compact' ? 'comfortable' : 'compact'
}
