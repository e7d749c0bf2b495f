/** Bounds of an `LRUCache`, which grows as it fills. With the option `max`, it would allocate all entries when it is created. */
export function atMost(entries: number) {
  return { maxSize: entries, sizeCalculation: () => 1 }
}
