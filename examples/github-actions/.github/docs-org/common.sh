#!/usr/bin/env bash
# Read by the scripts beside it, which run in the folder of organization.yaml. With arguments, it runs them as a command.
set -euo pipefail

# Titles, names and e-mails are text that anybody may have chosen, and GitHub reads `::command::` at the beginning of a line of
# the log, and `##[command]` anywhere in one, as commands to itself. From here to the end, it takes no line for a command but the
# one with this word, which nobody can guess. Both outputs are one stream from now on: of two, GitHub could read a line before
# the command that switches commands off.
resume_commands() { :; }
if [ "${GITHUB_ACTIONS:-}" = true ]; then
  exec 2>&1
  resume_word=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  resume_commands() {
    # The text before may end without a line break.
    printf '\n::%s::\n' "$resume_word"
  }
  printf '::stop-commands::%s\n' "$resume_word"
fi

# What only a script needs: a preview names people, and is not left behind.
scratch=$(mktemp -d)
leave() {
  rm -rf "$scratch"
  resume_commands
}
trap leave EXIT
# Only then, what the command still prints comes before the end.
trap 'exit 143' TERM

stop() {
  printf '%s: %s\n' "$(basename "$0" .sh)" "$1" >&2
  exit 1
}

# The command of the lock file, whatever else is on the PATH.
docs_org() {
  node_modules/.bin/docs-org "$@"
}

# On the page of the run where there is one, which no other run can write, unlike a comment; else on the standard output.
show() {
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat "$1" >> "$GITHUB_STEP_SUMMARY"; else cat "$1"; fi
}

# Only GitHub has what follows. REPOSITORY is owner/name; gh takes its token from GH_TOKEN.

# What an expression makes of `data`, the JSON on the standard input; nothing where it is undefined. Without an input, gh says why.
pick() {
  node -e "const data = JSON.parse(fs.readFileSync(0, 'utf8') || process.exit(1)); process.stdout.write(String(($1) ?? ''));"
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

[ "$0" != "${BASH_SOURCE[0]}" ] || "$@"
