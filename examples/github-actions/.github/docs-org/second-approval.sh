#!/usr/bin/env bash
# Ends with 0 if the pull request has the approvals that its review asks for: two if there are risks, and those of the approvers
# that the file names. The protection of the branch ensures that there is always one.
#
#   PULL_REQUEST, PROPOSAL  its number and its newest commit
#   VERDICT, PLAN           the files that the review wrote
source "$(dirname "$0")/common.sh"

verdict=$(cat "${VERDICT:?}")
[ "$verdict" = risky ] || grep -q '"approvals"' "${PLAN:?}" || exit 0
# Approvals are counted by their line breaks. The dot keeps the last line break, which $( ) would drop.
approvals=$(approvals_of "${PULL_REQUEST:?}" "${PROPOSAL:?}" && echo .)
refuse_risk_with_one_approval "$verdict" "${approvals%.}"
refuse_without_approver "${PLAN:?}" "$approvals"
