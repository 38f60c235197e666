#!/usr/bin/env bash
# Applies what is checked out, as far as it was reviewed.
#
#   STACK  the stack of the main branch
#   PLAN   the plan that the review of this change wrote (out/plan.json of review.sh)
#
# Stops before anything is written where there is no plan, and where a fresh preview would do more than was reviewed.
set -euo pipefail
source "$(dirname "$0")/common.sh"

[ -f "${PLAN:?name the reviewed plan}" ] || stop "there is no plan $PLAN: only what was reviewed is applied; review the change first"

if ! preview_to "$scratch/preview.json"; then
  docs_org review "$scratch/preview.json" | sed 's/^/| /' >&2 || true
  stop "the fresh preview failed: nothing was applied"
fi
docs_org verify --plan "$PLAN" "$scratch/preview.json"
pulumi up --stack "$STACK" --yes --skip-preview --non-interactive
