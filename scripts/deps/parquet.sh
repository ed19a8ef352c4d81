# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Installs other programs' readers of Parquet, for the tests of fxt convert --to parquet.
# Sourced by deps.sh after npm.sh; uses its ensure_npm.
#
# In:  DuckDB, hyparquet with its decompressors, and Arrow's reader in Rust (parquet-wasm)
#      with Arrow's tables, from npm's registry. No package of Debian reads Parquet.
# Out: <cache>/parquet/node_modules.

parquet_readers=(@duckdb/node-api@1.5.6-r.1 hyparquet@1.33.0 hyparquet-compressors@1.1.2
	parquet-wasm@0.8.0 apache-arrow@21.2.0)

ensure_parquet() {
	ensure_npm parquet parquet "${parquet_readers[@]}"
}
