#!/usr/bin/env bash
# Puts a review on the pull request, in the place of the one before: both begin with the same line.
#
#   PULL_REQUEST  its number
#   COMMENT       the file
set -euo pipefail
source "$(dirname "$0")/common.sh"

comments=repos/$REPOSITORY/issues/${PULL_REQUEST:?}/comments
MARKER=$(head -n 1 "${COMMENT:?}")
export MARKER
id=$(gh api --paginate --slurp "$comments?per_page=100" | pick '
  data.flat().find(({ user, body }) => user?.login === "github-actions[bot]" && body.split(/\r?\n/)[0] === process.env.MARKER)?.id')
if [ -n "$id" ]; then
  gh api --silent --method PATCH "repos/$REPOSITORY/issues/comments/$id" --field "body=@$COMMENT"
else
  gh api --silent --method POST "$comments" --field "body=@$COMMENT"
fi
