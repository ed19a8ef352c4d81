#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Measures what recording call stacks costs the machine: host.sh --stacks, with the same
# options.

set -euo pipefail

exec "$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")/host.sh" --stacks "$@"
