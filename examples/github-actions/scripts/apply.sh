#!/usr/bin/env bash
# Applies what is checked out, as far as it was reviewed.
#
#   STACK  the stack of the main branch
#   PLAN   the plan that the review of this change wrote (out/plan.json of review.sh)
#   ACCEPT_INCOMPARABLE  `true` applies although a part cannot be compared with the plan: secrets, and values that are known
#                        only during the up
#
# Stops before anything is written if there is no plan, if a fresh preview would do more than was reviewed (status 2), or if a
# part of it cannot be compared (status 3). The up itself refuses people whose e-mail belonged to somebody else at the review.
set -euo pipefail
source "$(dirname "$0")/common.sh"

[ -f "${PLAN:?name the reviewed plan}" ] || stop "there is no plan $PLAN: only what was reviewed is applied; review the change first"

if ! preview_to "$scratch/preview.json"; then
  docs_org review "$scratch/preview.json" | sed 's/^/| /' >&2 || true
  stop "the fresh preview failed: nothing was applied"
fi
accept=()
[ "${ACCEPT_INCOMPARABLE:-}" != true ] || accept+=(--accept-incomparable)
docs_org verify --plan "$PLAN" "${accept[@]}" "$scratch/preview.json"
DOCS_PLAN=$(realpath -- "$PLAN") pulumi up --stack "$STACK" --yes --skip-preview --non-interactive
