#!/usr/bin/env bash
# Fetches the reviewed plan of a commit of the main branch to out/plan.json, and writes it with its approvals to out/evidence,
# under names that no other commit has. The plan must belong to the newest commit of
# the pull request that this commit merged, come from the review workflow, and have existed at the first approval. Anything
# else stops, and so does a commit that is no longer the newest: a later commit may have reverted its change, and running its
# job again would apply the change once more.
#
#   COMMIT  the commit of the main branch
#   BRANCH  name of the main branch
source "$(dirname "$0")/common.sh"

workflow=.github/workflows/docs-org-review.yml

# The artifacts of this name that were there at that time, the newest first, each with the run that made it. Any workflow of
# any branch can make one of this name.
candidates() {
  gh api "repos/$REPOSITORY/actions/artifacts?name=docs-org-review-$1&per_page=100" | BEFORE=$2 pick '
    data.artifacts.filter(({ expired, created_at }) => !expired && created_at <= process.env.BEFORE)
      .sort((a, b) => (a.created_at < b.created_at ? 1 : -1))
      .map(({ id, workflow_run }) => id + " " + workflow_run.id + "\n").join("")'
}

# With this event, GitHub takes the workflow from the main branch, whatever the branch of the pull request holds.
is_of_review() {
  [ "$(gh api "repos/$REPOSITORY/actions/runs/$1" | pick 'data.event + " " + data.path.split("@")[0]')" = \
    "pull_request_target $workflow" ]
}

export COMMIT=${COMMIT:?} BRANCH=${BRANCH:?}
newest=$(gh api "repos/$REPOSITORY/commits/heads/$BRANCH" | pick data.sha)
[ "$newest" = "$COMMIT" ] ||
  stop "commit $COMMIT is not the newest one of $BRANCH (${newest:0:10}), whose run applies what is to be applied: nothing is applied"
found=$(gh api "repos/$REPOSITORY/commits/$COMMIT/pulls" | pick '
  data.filter((pull) => pull.merged_at && pull.base.ref === process.env.BRANCH && pull.merge_commit_sha === process.env.COMMIT)
    .map((pull) => pull.number + " " + pull.head.sha)[0]')
[ -n "$found" ] || stop "commit $COMMIT came to $BRANCH without a pull request: it was not reviewed, and nothing is applied"
read -r number head <<< "$found"

# The dot keeps the last line break: see second-approval.sh.
approvals=$(approvals_of "$number" "$head" && echo .)
approvals=${approvals%.}
[ -n "$approvals" ] || stop "nobody has approved the newest commit of pull request $number: nothing is applied"
read -r first _ <<< "$approvals"
list=$(candidates "$head" "$first")
artifact=
while [ -z "$artifact" ] && read -r id run && [ -n "$id" ]; do
  ! is_of_review "$run" || artifact=$id
done <<< "$list"
[ -n "$artifact" ] ||
  stop "no review of commit $head was there when pull request $number was approved, or it has expired: nothing is applied"

gh api "repos/$REPOSITORY/actions/artifacts/$artifact/zip" > "$scratch/review.zip"
unzip -q "$scratch/review.zip" -d "$scratch/review"
[ -f "$scratch/review/plan.json" ] || stop "the review of pull request $number refused the change: nothing is applied"
verdict=$(cat "$scratch/review/verdict")
refuse_risk_with_one_approval "$verdict" "$approvals"
refuse_without_approver "$scratch/review/plan.json" "$approvals"
mkdir -p out/evidence
cp "$scratch/review/plan.json" out/plan.json
cp out/plan.json "out/evidence/plan-$COMMIT.json"
printf 'pull request %s, commit %s, merged as %s, approved:\n%s' "$number" "$head" "$COMMIT" "$approvals" \
  > "out/evidence/approvals-$COMMIT.txt"
echo "the plan is that of pull request $number, commit $head"
