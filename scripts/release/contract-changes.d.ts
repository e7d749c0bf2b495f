export function contractChanges(older: object, newer: object, today?: Date): readonly string[]
export function contractShape(value: unknown): unknown
