# Read by the scripts beside it, which run in the folder of the program.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/log.sh"
cd "$(dirname "${BASH_SOURCE[0]}")/.."

stop() {
  printf '%s: %s\n' "$(basename "$0" .sh)" "$1" >&2
  exit 1
}

# The command of the lock file, whatever else is on the PATH.
docs_org() {
  node_modules/.bin/docs-org "$@"
}

# What only a script needs: a preview names people, and is not left behind.
scratch=$(mktemp -d)
leave() {
  rm -rf "$scratch"
  resume_commands
}
trap leave EXIT

# What is written for people stands in out/, of this run alone.
fresh_out() {
  rm -rf out
  mkdir out
}

# On the page of the job where there is one (GITHUB_STEP_SUMMARY), else on the standard output.
show() {
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    cat "$1" >> "$GITHUB_STEP_SUMMARY"
  else
    cat "$1"
  fi
}

# Writes the preview to a file and ends as pulumi does. What pulumi says beside it is marked. Without --show-sames, nothing would
# tell that a resource which stays as it is has lost retainOnDelete.
preview_to() {
  local status=0
  pulumi preview --stack "${STACK:?name the stack}" --refresh --show-sames --json --non-interactive \
    > "$1" 2> "$1.log" || status=$?
  sed 's/^/| /' "$1.log" >&2
  return "$status"
}
