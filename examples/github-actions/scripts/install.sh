#!/usr/bin/env bash
# Installs what the lock file names. No package runs a script of its own.
set -euo pipefail
source "$(dirname "$0")/common.sh"
npm ci --ignore-scripts --no-audit --no-fund
