#!/usr/bin/env bash
# The unit tests and the demo with each newer version of Node.js, from the npm package "node".
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ $# -gt 0 ] || set -- 22 24 26
for version in "$@"; do
  npx --yes --package "node@$version" -c 'node --version && npm run test:unit && npm run demo'
done
