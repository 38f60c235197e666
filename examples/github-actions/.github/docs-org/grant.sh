#!/usr/bin/env bash
# Writes the line of a grant as a form says it, and keeps the change in out/grant.patch. Nothing of the form is a part of a command.
#
#   PERSON, ROLE, UNTIL, REASON  the person, the role or level, the last day, and why
#   TEAM                         the id of a team; empty for the role in the organization
source "$(dirname "$0")/common.sh"

team=()
[ -z "${TEAM:-}" ] || team+=(--team="$TEAM")
docs_org grant --until="${UNTIL:?}" --reason="${REASON:?}" "${team[@]}" -- "${PERSON:?}" "${ROLE:?}"
mkdir -p out
git diff --no-color --no-ext-diff > out/grant.patch
