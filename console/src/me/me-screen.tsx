export function MeScreen() {
  return <h1>Me</h1>
}
