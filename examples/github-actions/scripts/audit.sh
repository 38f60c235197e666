#!/usr/bin/env bash
# Looks for live objects that no stack manages, which a preview cannot see: for example, a person with an undeclared role.
# Ends with 0 where there is no such thing; otherwise with 1 and the audit, in the summary of the job where there is one
# (GITHUB_STEP_SUMMARY), else on the standard output.
#
#   STACK  the stack of the main branch; what other stacks manage of the organization counts with their states in STATES,
#          names of stacks with spaces between them
set -euo pipefail
source "$(dirname "$0")/common.sh"

states=()
for stack in "${STACK:?name the stack}" ${STATES:-}; do
  state="$scratch/state-${#states[@]}.json"
  pulumi stack export --stack "$stack" > "$state" || stop "the state of stack $stack could not be read"
  states+=(--state "$state")
done
audited=0
docs_org audit "${states[@]}" --fail-on unmanaged > "$scratch/audit.md" || audited=$?
show "$scratch/audit.md"
case $audited in
  0) echo "every live object is managed" ;;
  2) stop "found live objects that no stack manages; declare or remove them" ;;
  *) stop "the audit could not be made" ;;
esac
