#!/usr/bin/env bash
# Shows a review on the page of the run that made it.
#
#   COMMENT              the file
#   GITHUB_STEP_SUMMARY  set by GitHub: where the page of the run takes text from
set -euo pipefail
source "$(dirname "$0")/common.sh"

if [ -f "${COMMENT:?}" ]; then
  cat "$COMMENT" >> "${GITHUB_STEP_SUMMARY:?}"
else
  echo "There is no review: the step before says why." >> "${GITHUB_STEP_SUMMARY:?}"
fi
