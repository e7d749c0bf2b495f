export function KeyCheckScreen() {
  return <h1>KeyCheck</h1>
}
