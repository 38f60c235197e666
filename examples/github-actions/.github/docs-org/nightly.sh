#!/usr/bin/env bash
# Looks for what is live and not as the main branch declares it, and for what is live and not managed, such as a person with an
# undeclared role. Ends with 0 if there is no such thing; otherwise with 1. Writes out/nightly.md, also with what ends within 30
# days, and shows it if it has anything (see `show` in common.sh).
#
#   STACK  the stack, by default main
#   PULUMI_BACKEND_URL  where the state is kept, also if the merged file names another place
source "$(dirname "$0")/common.sh"

: "${PULUMI_BACKEND_URL:?name the backend}"
stack=${STACK:-main}
mkdir -p out
drifted=0
docs_org preview --stack "$stack" --yes --format markdown --fail-on change > "$scratch/drift.md" || drifted=$?
unmanaged=0
docs_org audit --stack "$stack" --format markdown --fail-on unmanaged > "$scratch/audit.md" || unmanaged=$?
cat "$scratch/drift.md" "$scratch/audit.md" > out/nightly.md
ends=$(grep -c '^### ◷ ' "$scratch/audit.md" || true)
[ $((drifted + unmanaged + ends)) -eq 0 ] || show out/nightly.md

case $drifted in
  0) echo "no drift: what is live is what the main branch declares" ;;
  2) echo "drift: what is live is not what the main branch declares" ;;
  *) echo "drift is not known: the preview of the main branch failed, and the lines above say why" ;;
esac
case $unmanaged in
  0) echo "every live object is managed" ;;
  2) echo "found live objects that no stack manages; declare or remove them" ;;
  *) echo "unmanaged objects are not known: the audit could not be made" ;;
esac
[ "$ends" -eq 0 ] || echo "something begins or ends within 30 days, or has ended: see the audit"
[ $((drifted + unmanaged)) -eq 0 ]
