#!/usr/bin/env bash
# Writes the line of a grant as a form says it, and keeps the change in out/grant.patch. Nothing of the form is a part of a command.
#
#   PERSON, ROLE, UNTIL, REASON  the person, the role or level, the last day, and why
#   TEAM                         the id of a team; empty for the role in the organization
#   FROM                         the first day; empty for a grant that begins at once
source "$(dirname "$0")/common.sh"

more=()
[ -z "${TEAM:-}" ] || more+=(--team="$TEAM")
[ -z "${FROM:-}" ] || more+=(--from="$FROM")
docs_org grant --until="${UNTIL:?}" --reason="${REASON:?}" "${more[@]}" -- "${PERSON:?}" "${ROLE:?}"
mkdir -p out
git diff --no-color --no-ext-diff > out/grant.patch
