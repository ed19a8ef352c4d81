# SPDX-License-Identifier: GPL-2.0-or-later
#
# fxt-sched for Nix: nix build 'git+file:.?dir=scripts/packaging' in the top folder of a clone.
#
# Only its syntax was tested (nix-instantiate --parse): nobody has built it yet.
{
  description = "System-wide scheduler tracer that writes Fuchsia trace archives";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" ];
      each = f: nixpkgs.lib.genAttrs systems (system: f nixpkgs.legacyPackages.${system});
      version = builtins.head
        (builtins.match ".*\nVERSION := ([0-9.]+)\n.*" (builtins.readFile ../../Makefile));
    in
    {
      packages = each (pkgs: {
        default = pkgs.stdenv.mkDerivation {
          pname = "fxt-sched";
          inherit version;
          src = ../..;
          nativeBuildInputs = with pkgs; [
            bpftools llvmPackages.clang-unwrapped llvm pkg-config protobufc
          ];
          buildInputs = with pkgs; [
            bzip2 elfutils gnutls isa-l libbpf libcap libiberty libmicrohttpd libseccomp
            libtraceevent libtracefs protobufc sqlite trace-cmd xz zlib zstd
          ];
          makeFlags = [ "PREFIX=$(out)" "KDIR=" ];
          buildFlags = [ "collector" ];
          meta = {
            description = "System-wide scheduler tracer that writes Fuchsia trace archives";
            license = pkgs.lib.licenses.gpl2Plus;
            platforms = systems;
          };
        };
      });
    };
}
