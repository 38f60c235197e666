# Read by every script: what a log takes for commands. Titles, names and e-mails are text that anybody may have chosen, and
# GitHub reads `::command::` at the beginning of a line, and `##[command]` anywhere in one, as commands to itself.

# From here to the end of the script GitHub takes no line for a command, but the one with this word, which nobody can guess.
# Both outputs are one stream from now on: of two, GitHub could read a line before the command that switches commands off.
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
trap resume_commands EXIT
