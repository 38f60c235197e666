#!/usr/bin/env bash
# Reviews a proposed commit: what would happen to people if it were merged now.
#
#   STACK                the stack, by default main
#   PROPOSAL             full id of the proposed commit, which is there (fetched) and never checked out
#   PROPOSAL_REPOSITORY  where the commit comes from
#   REPOSITORY           this repository; a commit from another one is refused
#   PULUMI_BACKEND_URL   where the state is kept, so that a proposal cannot name another place
#
# The main branch is checked out: lock file, scripts and command are its own. Of the proposal, only the data files named below
# are read, as they would be after the merge.
#
# Writes out/comment.md, out/review.html, out/verdict (refused, risky or fine) and out/plan.json, which a refused review has
# not. Ends with 0 when the review was made, and with 1 when the change was refused or could not be reviewed.
source "$(dirname "$0")/common.sh"

data=(organization.yaml teams members certs)

# Only files that can do nothing but be read, at places where the command reads them.
refuse_other_than_data() {
  local mode=$1 path=$2 name
  # Escapes whatever a terminal might not show as it is: in this locale, all that is not ASCII.
  LC_ALL=C printf -v name '%q' "$path"
  case "$mode" in
    100644 | 100755) ;;
    120000) stop "$name is a symbolic link; the organization's data are plain files" ;;
    *) stop "$name is a submodule; the organization's data are plain files of this repository" ;;
  esac
  case "$path" in
    *[[:cntrl:]]*) stop "$name has a control character in its name; rename it" ;;
    */.*) stop "$name is hidden or leads elsewhere; give it a name without a dot at the start" ;;
    organization.yaml | teams/*.yaml | members/*.yaml | certs/*.pem) ;;
    *) stop "$name is no data of the organization; use organization.yaml, teams/*.yaml, members/*.yaml and certs/*.pem" ;;
  esac
}

merged_tree() {
  local status=0
  git merge-tree --write-tree --no-messages HEAD "$PROPOSAL" > "$scratch/merge" 2> "$scratch/merge.log" || status=$?
  [ "$status" -ne 1 ] || stop "the proposal conflicts with the main branch; merge the main branch into it"
  [ "$status" -eq 0 ] || stop "the proposal cannot be merged into the main branch: $(head -n 1 "$scratch/merge.log")"
  tree=$(head -n 1 "$scratch/merge")
}

# Bytes as they are stored: no attribute, filter or link of the proposal has a say.
take_data() {
  local entry index
  local -a objects=() paths=()
  GIT_LITERAL_PATHSPECS=1 git ls-tree -r -z "$tree" -- "${data[@]}" > "$scratch/files"
  while IFS= read -r -d '' entry; do
    local path=${entry#*$'\t'} head=${entry%%$'\t'*}
    refuse_other_than_data "${head%% *}" "$path"
    objects+=("${head##* }")
    paths+=("$path")
  done < "$scratch/files"
  trap put_back EXIT
  rm -rf -- "${data[@]}"
  for index in "${!paths[@]}"; do
    mkdir -p -- "$(dirname -- "${paths[index]}")"
    git cat-file blob "${objects[index]}" > "${paths[index]}"
  done
}

put_back() {
  local status=0
  rm -rf -- "${data[@]}" || status=$?
  git ls-tree -z --name-only HEAD -- "${data[@]}" | xargs -0 -r git checkout --quiet HEAD -- || status=$?
  leave
  return "$status"
}

note_origin() {
  local count
  count=$(git diff --name-only -z HEAD "$tree" -- :/ "${data[@]/#/:(exclude)}" | tr -cd '\0' | wc -c)
  printf '\nThis is the review of commit %s, as it would be after a merge into %s.\n' "$PROPOSAL" "$(git rev-parse HEAD)"
  [ "$count" -gt 0 ] || return 0
  printf '\n> **Not in this review:** files that are no data of the organization (changed: %d). ' "$count"
  printf 'They had no effect here, and take effect with the merge: review them as code.\n'
}

[ "${PROPOSAL_REPOSITORY:?name the repository of the proposal}" = "${REPOSITORY:?name this repository}" ] ||
  stop "the proposal comes from another repository; a review has a token at hand and runs for branches of $REPOSITORY alone"
[[ "${PROPOSAL:?name the proposed commit}" =~ ^[0-9a-f]{40,64}$ ]] || stop "PROPOSAL is not the full id of a commit"
git cat-file -e "$PROPOSAL^{commit}" 2> /dev/null || stop "commit $PROPOSAL is not here; fetch it, or review the newest one"
: "${PULUMI_BACKEND_URL:?name the backend}"
[ -z "$(git status --porcelain -- "${data[@]}")" ] || stop "the organization's data have changes that are not committed"

rm -rf out
mkdir out
merged_tree
take_data

status=0
# The plan and the page name the proposed commit, and say so if what was read differs from it: with this index, git compares with it.
GIT_INDEX_FILE=$scratch/index git read-tree "$PROPOSAL"
DOCS_COMMIT=$PROPOSAL GIT_INDEX_FILE=$scratch/index docs_org preview --stack "${STACK:-main}" --yes --format markdown --page out/review.html --plan out/plan.json --fail-on risk \
  > "$scratch/comment.md" || status=$?
case $status in
  0) verdict=fine ;;
  2) verdict=risky ;;
  *) verdict=refused && rm -f out/plan.json ;;
esac
[ -s "$scratch/comment.md" ] || stop "the preview could not be made; the lines above say why"
note_origin >> "$scratch/comment.md"
mv "$scratch/comment.md" out/comment.md
show out/comment.md
echo "$verdict" > out/verdict
[ "$verdict" != refused ] || stop "the change was refused; out/comment.md says why"
echo "reviewed: $verdict"
