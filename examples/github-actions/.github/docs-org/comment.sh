#!/usr/bin/env bash
# Posts a review on the pull request, replacing the previous one: both begin with the same line. A review of an older commit,
# for example of a job that was run again, is not posted.
#
#   PULL_REQUEST, PROPOSAL  its number and the commit that was reviewed
#   COMMENT                 the file
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
