#!/usr/bin/env bash
# Applies what is checked out, as far as it was reviewed. Stops before anything is written if there is no plan, if the change is
# more than was reviewed (status 2), or if a part of it cannot be compared (status 3).
#
#   STACK  the stack, by default main
#   PLAN   the plan that the review of this change wrote (out/plan.json of review.sh)
#   PULUMI_BACKEND_URL  where the state is kept, also if the merged file names another place
#   ACCEPT_INCOMPARABLE  `true` applies although a part cannot be compared with the plan
source "$(dirname "$0")/common.sh"

: "${PULUMI_BACKEND_URL:?name the backend}"
[ -f "${PLAN:?name the reviewed plan}" ] || stop "there is no plan $PLAN: only what was reviewed is applied; review the change first"
accept=()
[ "${ACCEPT_INCOMPARABLE:-}" != true ] || accept+=(--accept-incomparable)
run_up 3000 --stack "${STACK:-main}" --yes --plan "$PLAN" "${accept[@]}"
