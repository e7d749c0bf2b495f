export function SystemScreen() {
  return <h1>System</h1>
}
