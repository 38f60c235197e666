#!/usr/bin/env bash
# Ends with 0 where the pull request has the approvals that its review asks for: two where there are risks. That there is
# one in any case is up to the protection of the branch.
#
#   PULL_REQUEST, PROPOSAL  its number and its newest commit
#   VERDICT                 the file that the review wrote
source "$(dirname "$0")/common.sh"

verdict=$(cat "${VERDICT:?}")
[ "$verdict" = risky ] || exit 0
approvals=$(approvals_of "${PULL_REQUEST:?}" "${PROPOSAL:?}" && echo .)
refuse_risk_with_one_approval "$verdict" "${approvals%.}"
