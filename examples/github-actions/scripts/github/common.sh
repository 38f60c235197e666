# Read by the scripts beside it: what only GitHub has. REPOSITORY is owner/name; gh takes its token from GH_TOKEN.
set -euo pipefail

stop() {
  printf '%s: %s\n' "$(basename "$0" .sh)" "$1" >&2
  exit 1
}

# What an expression makes of `data`, the JSON on the standard input; nothing where it is undefined.
pick() {
  node -e "const data = JSON.parse(fs.readFileSync(0, 'utf8')); process.stdout.write(String(($1) ?? ''));"
}

# When each person approved this very commit, the earliest first. The last word of a person counts.
approvals_of() {
  gh api --paginate --slurp "repos/$REPOSITORY/pulls/$1/reviews?per_page=100" | HEAD=$2 pick '
    Object.values(Object.fromEntries(data.flat()
      .filter(({ state }) => ["APPROVED", "CHANGES_REQUESTED", "DISMISSED"].includes(state))
      .filter(({ user, author_association: as }) => user && ["OWNER", "MEMBER", "COLLABORATOR"].includes(as))
      .map((review) => [review.user.id, review])))
      .filter(({ state, commit_id }) => state === "APPROVED" && commit_id === process.env.HEAD)
      .map((review) => review.submitted_at + "\n").sort().join("")'
}

# Whether it was enough that one person looked.
refuse_risk_with_one_approval() {
  local verdict=$1 count
  count=$(printf '%s' "$2" | wc -l)
  [ "$verdict" != risky ] || [ "$count" -ge 2 ] ||
    stop "there are risks: two people have to approve the newest commit (approvals: $count); approve it, then run this job again"
}
