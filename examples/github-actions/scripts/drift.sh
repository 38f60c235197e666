#!/usr/bin/env bash
# Looks for what is live and not as the main branch declares it; see audit.sh for what it declares nothing about. Ends with 0
# where there is no such thing; otherwise with 1 and the review of it, in the summary of the job where there is one (GITHUB_STEP_SUMMARY), else on the standard output.
#
#   STACK  the stack of the main branch
set -euo pipefail
source "$(dirname "$0")/common.sh"

fresh_out
previewed=0
preview_to "$scratch/preview.json" || previewed=$?
docs_org review "$scratch/preview.json" > "$scratch/drift.md"
docs_org review "$scratch/preview.json" --format json > "$scratch/drift.json"
verdict=$(node -p 'JSON.parse(fs.readFileSync(0, "utf8")).verdict.kind' < "$scratch/drift.json")
if [ "$previewed" -eq 0 ] && [ "$verdict" = none ]; then
  echo "no drift: what is live is what the main branch declares"
  exit 0
fi
cp "$scratch/drift.md" out/drift.md
docs_org review "$scratch/preview.json" --format html > out/review.html
show out/drift.md
[ "$verdict" != refused ] ||
  stop "the preview of the main branch failed, so what is live could not be compared with it; the review says why"
stop "what is live is not what the main branch declares"
