#!/usr/bin/env bash
# Puts a review on the pull request, in the place of the one before: both begin with the same line. The review of a commit
# that is not the newest one any more, of a job that was run again for example, takes no place.
#
#   PULL_REQUEST, PROPOSAL  its number and the commit that was reviewed
#   COMMENT                 the file
set -euo pipefail
source "$(dirname "$0")/common.sh"

newest=$(gh api "repos/$REPOSITORY/pulls/${PULL_REQUEST:?}" | pick data.head.sha)
[ "$newest" = "${PROPOSAL:?}" ] ||
  stop "commit $PROPOSAL is not the newest one of pull request $PULL_REQUEST (${newest:0:10}): its review is not shown"
comments=repos/$REPOSITORY/issues/$PULL_REQUEST/comments
MARKER=$(head -n 1 "${COMMENT:?}")
export MARKER
id=$(gh api --paginate --slurp "$comments?per_page=100" | pick '
  data.flat().find(({ user, body }) => user?.login === "github-actions[bot]" && body.split(/\r?\n/)[0] === process.env.MARKER)?.id')
if [ -n "$id" ]; then
  gh api --silent --method PATCH "repos/$REPOSITORY/issues/comments/$id" --field "body=@$COMMENT"
else
  gh api --silent --method POST "$comments" --field "body=@$COMMENT"
fi
