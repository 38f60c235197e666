#!/usr/bin/env bash
# npm run check:workflows: judges the workflows of the repository and of the example. The tools are no packages of npm; if one
# cannot be installed, the script says so and goes on.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folders=(.github/workflows examples/github-actions/.github/workflows)
zizmor=zizmor==1.32.0
tools=node_modules/.cache/pulumi-docs-org/$zizmor

files=()
for folder in "${folders[@]}"; do files+=("$folder"/*.yml); done
if command -v go > /dev/null; then
  go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12 "${files[@]}"
else
  echo "actionlint did not run: there is no Go"
fi
if command -v zizmor > /dev/null; then
  zizmor --offline --quiet "${folders[@]}"
elif [ -x "$tools/bin/zizmor" ] || python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target "$tools" "$zizmor"; then
  "$tools/bin/zizmor" --offline --quiet "${folders[@]}"
else
  echo "zizmor did not run: it could not be installed"
fi
