#!/usr/bin/env bash
# Pushes the line of a grant as a branch, and shows the link that opens its pull request. Nobody else opens it: a person does, who
# is then its author and cannot approve it, and GitHub starts no review for a pull request that the token of a job has opened.
#
#   PATCH, BRANCH  what grant.sh has kept, and the name of the new branch, which has the id of who asked for the grant
#   GITHUB_ACTOR   the login of who asked for it
source "$(dirname "$0")/common.sh"

git apply --index "${PATCH:?}"
git -c user.name="github-actions[bot]" -c user.email="github-actions[bot]@users.noreply.github.com" \
  commit --quiet --message "Add a grant" --message "Asked for by ${GITHUB_ACTOR:?}, whose approval does not count."
server=${GITHUB_SERVER_URL:-https://github.com}/$REPOSITORY
git -c credential.helper= -c credential.helper='!gh auth git-credential' push --quiet "$server" "HEAD:refs/heads/${BRANCH:?}"
printf '[Open the pull request](%s/compare/%s?expand=1) of this grant.\n' "$server" "$BRANCH" > "$scratch/link.md"
show "$scratch/link.md"
