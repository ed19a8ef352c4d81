# SPDX-License-Identifier: GPL-2.0-or-later
#
# Completion of fxt-collect for fish. The program knows the words, as fxt does.

source (status dirname)/fxt.fish
complete -c fxt-collect -f -a '(__fxt_offers)'
