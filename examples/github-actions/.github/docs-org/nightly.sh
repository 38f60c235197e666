#!/usr/bin/env bash
# Looks for what is live and not as the main branch declares it, and for what is live and not managed, such as a person with an
# undeclared role. Ends with 0 if there is no such thing; otherwise with 1, and shows it (see `show` in common.sh).
#
#   STACK  the stack, by default main
#   PULUMI_BACKEND_URL  where the state is kept, also if the merged file names another place
source "$(dirname "$0")/common.sh"

: "${PULUMI_BACKEND_URL:?name the backend}"
stack=${STACK:-main}
drifted=0
docs_org preview --stack "$stack" --yes --format markdown --fail-on change > "$scratch/drift.md" || drifted=$?
unmanaged=0
docs_org audit --stack "$stack" --fail-on unmanaged > "$scratch/audit.md" || unmanaged=$?
[ "$drifted" -eq 0 ] || show "$scratch/drift.md"
[ "$unmanaged" -eq 0 ] || show "$scratch/audit.md"

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
[ $((drifted + unmanaged)) -eq 0 ]
