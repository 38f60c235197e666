#!/usr/bin/env bash
# Begins and ends the grants of lines that the last apply had as they are, and changes nothing else, whatever has drifted. Names the
# line and its commit. Ends with 1 if a grant could not begin or end.
#
#   STACK  the stack, by default main
#   PULUMI_BACKEND_URL  where the state is kept, also if the merged file names another place
source "$(dirname "$0")/common.sh"

: "${PULUMI_BACKEND_URL:?name the backend}"
run_up 900 --stack "${STACK:-main}" --yes --only grants
