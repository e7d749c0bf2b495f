import { useRef, useState } from 'react'
import type { ListedUser } from './read-people.ts'

export type Selected = ReadonlyMap<string, ListedUser>

/** The people that were chosen, as they were seen. They stay chosen while the list is scrolled. */
export interface Selection {
  readonly people: Selected
  toggle(user: ListedUser, row: number): void
  /** All from the row that was chosen last to this one, by `between`. */
  extend(user: ListedUser, row: number): void
  add(users: readonly ListedUser[]): void
  keep(users: readonly ListedUser[]): void
  clear(): void
}

export type Between = (rows: readonly [number, number]) => readonly ListedUser[]

export function useSelection(between: { readonly current: Between }): Selection {
  const [people, setPeople] = useState<Selected>(new Map())
  const anchor = useRef<number>(undefined)
  const add = (users: readonly ListedUser[]) =>
    setPeople((former) => new Map([...former, ...users.map((user) => [user.id, user] as const)]))
  return {
    people,
    toggle(user, row) {
      anchor.current = row
      setPeople((former) => {
        const next = new Map(former)
        if (!next.delete(user.id)) next.set(user.id, user)
        return next
      })
    },
    extend(user, row) {
      add([...between.current([anchor.current ?? row, row]), user])
      anchor.current = row
    },
    add,
    keep: (users) => setPeople(new Map(users.map((user) => [user.id, user]))),
    clear: () => setPeople(new Map()),
  }
}
