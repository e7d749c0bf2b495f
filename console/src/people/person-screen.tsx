export function PersonScreen() {
  return <h1>Person</h1>
}
