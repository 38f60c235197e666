#!/usr/bin/env bash
# Read by the scripts beside it, which run in the folder of organization.yaml. With arguments, it runs them as a command.
set -euo pipefail

# Titles, names and e-mails are text that anybody may have chosen, and GitHub reads `::command::` at the beginning of a line of
# the log, and `##[command]` anywhere in one, as commands to itself. From here to the end, GitHub takes only the line with this
# word, which nobody can guess, for a command. Both outputs are one stream from now on: of two streams, GitHub could read a line
# of one before it reads in the other that commands are off.
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

# For files that only a script needs. The folder is removed at the end, because a preview names people.
scratch=$(mktemp -d)
leave() {
  rm -rf "$scratch"
  resume_commands
}
trap leave EXIT
# With this trap, bash waits for the running command, whose last lines are printed before `leave` resumes commands.
trap 'exit 143' TERM

stop() {
  printf '%s: %s\n' "$(basename "$0" .sh)" "$1" >&2
  exit 1
}

# The command of the lock file, whatever else is on the PATH.
docs_org() {
  node_modules/.bin/docs-org "$@"
}

# Runs an up, with a limit in seconds ($1) below the timeout of the job, which would kill the engine and leave its lock: after the
# signal of the limit, the up records what it has done, and ends. While another run changes the stack, such as a night or an apply,
# nothing is done, and the up begins again.
run_up() {
  local end=$((SECONDS + $1)) status
  shift
  while true; do
    status=0
    timeout --foreground $((end - SECONDS)) node_modules/.bin/docs-org up "$@" 2>&1 | tee "$scratch/up.log" || status=$?
    if [ "$status" -eq 0 ] || [ $((SECONDS + 30)) -ge "$end" ] ||
      ! grep -q "another run changes this stack now" "$scratch/up.log"; then
      return "$status"
    fi
    echo "the up begins again in 30 s"
    sleep 30
  done
}

# Shows a file on the page of the run, which no other run can write (unlike a comment); without a page, on the standard output.
show() {
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat "$1" >> "$GITHUB_STEP_SUMMARY"; else cat "$1"; fi
}

# Only GitHub has what follows. REPOSITORY is owner/name; gh takes its token from GH_TOKEN.

# Prints the value of an expression over `data`, the JSON on the standard input; nothing if it is undefined. Fails silently
# without an input, because gh has said why.
pick() {
  node -e "const data = JSON.parse(fs.readFileSync(0, 'utf8') || process.exit(1)); process.stdout.write(String(($1) ?? ''));"
}

# Ids of those whose approval says nothing: who opened the pull request, who has pushed to its branch, and, if docs-org-grant.yml
# has named the branch, who asked for the grant. The author in a commit proves nothing, because anybody can write one.
involved_in() {
  local pull opened ref
  pull=$(gh api "repos/$REPOSITORY/pulls/$1" | pick '`${data.user?.id} ${encodeURIComponent(data.head.ref)}`') || return 1
  read -r opened ref <<< "$pull"
  [[ ! "$ref" =~ ^grant-([0-9]+)-[0-9]+-[0-9]+$ ]] || opened+=" ${BASH_REMATCH[1]}"
  gh api --paginate --slurp "repos/$REPOSITORY/activity?ref=refs/heads/$ref&per_page=100" | OPENED=$opened pick '
    [process.env.OPENED, ...data.flat()
      .filter(({ activity_type: type }) => ["push", "force_push", "branch_creation"].includes(type))
      .map(({ actor }) => actor?.id)].join(" ")'
}

# The times and logins, one per line, the earliest first, at which people without a part in it approved exactly the commit $2 of pull
# request $1. Of each person, the last review counts.
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
      .map((review) => review.submitted_at + " " + review.user.login + "\n").sort().join("")'
}

# Stops if the verdict ($1) is "risky" and there are fewer than two approvals ($2).
refuse_risk_with_one_approval() {
  local verdict=$1 count
  count=$(printf '%s' "$2" | wc -l)
  [ "$verdict" != risky ] || [ "$count" -ge 2 ] ||
    stop "there are risks: two people must approve the newest commit (approvals: $count); approve it, then run this job again"
}

# Stops if the plan ($1) asks for the approval of somebody, and none of them is among the approvals ($2).
refuse_without_approver() {
  local missing
  missing=$(APPROVALS=$2 pick '
    (data.approvals ?? [])
      .filter(({ approvers }) => !process.env.APPROVALS.split("\n").some((line) =>
        approvers.some((one) => one.toLowerCase() === line.split(" ")[1]?.toLowerCase())))
      .map(({ what, approvers }) => what + ": " + approvers.join(" or ")).join("; ")' < "$1")
  [ -z "$missing" ] || stop "an approval is missing, of $missing; one of them must approve the newest commit, then run this job again"
}

[ "$0" != "${BASH_SOURCE[0]}" ] || "$@"
