# Read by the scripts beside it: what only GitHub has. REPOSITORY is owner/name; gh takes its token from GH_TOKEN.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../log.sh"

stop() {
  printf '%s: %s\n' "$(basename "$0" .sh)" "$1" >&2
  exit 1
}

# What an expression makes of `data`, the JSON on the standard input; nothing where it is undefined.
pick() {
  node -e "const data = JSON.parse(fs.readFileSync(0, 'utf8')); process.stdout.write(String(($1) ?? ''));"
}

# Ids of those whose approval says nothing: who opened the pull request, and who has pushed to its branch. What a commit says
# of its author, anybody can write.
involved_in() {
  local pull opened ref
  pull=$(gh api "repos/$REPOSITORY/pulls/$1" | pick '`${data.user?.id} ${encodeURIComponent(data.head.ref)}`') || return 1
  read -r opened ref <<< "$pull"
  gh api --paginate --slurp "repos/$REPOSITORY/activity?ref=refs/heads/$ref&per_page=100" | OPENED=$opened pick '
    [process.env.OPENED, ...data.flat()
      .filter(({ activity_type: type }) => ["push", "force_push", "branch_creation"].includes(type))
      .map(({ actor }) => actor?.id)].join(" ")'
}

# When each person approved this very commit who has no part in it, the earliest first. The last word of a person counts.
approvals_of() {
  local involved
  involved=$(involved_in "$1") || return 1
  gh api --paginate --slurp "repos/$REPOSITORY/pulls/$1/reviews?per_page=100" | HEAD=$2 INVOLVED=$involved pick '
    Object.values(Object.fromEntries(data.flat()
      .filter(({ state }) => ["APPROVED", "CHANGES_REQUESTED", "DISMISSED"].includes(state))
      .filter(({ user, author_association: as }) => user && ["OWNER", "MEMBER", "COLLABORATOR"].includes(as))
      .filter(({ user }) => !process.env.INVOLVED.split(" ").includes(String(user.id)))
      .map((review) => [review.user.id, review])))
      .filter(({ state, commit_id }) => state === "APPROVED" && commit_id === process.env.HEAD)
      .map((review) => review.submitted_at + "\n").sort().join("")'
}

# Whether it was enough that one person looked.
refuse_risk_with_one_approval() {
  local verdict=$1 count
  count=$(printf '%s' "$2" | wc -l)
  [ "$verdict" != risky ] || [ "$count" -ge 2 ] ||
    stop "there are risks: two people must approve the newest commit (approvals: $count); approve it, then run this job again"
}
