# The harbour's packages.
{
  description = "A harbour";

  inputs = {
    nixpkgs.url = "github:NixOS/nixpkgs/nixos-25.05";
    utils = {
      url = "github:numtide/flake-utils";
      inputs.nixpkgs.follows = "nixpkgs";
    };
  };

  outputs = { self, nixpkgs, utils, ... }@inputs:
    let
      # Which version this is.
      version = "1.2.${toString depth}";
      depth = 12;
      systems = [ "x86_64-linux" "aarch64-linux" ];

      # Makes a pier.
      mkPier = { name, length ? 10, ships ? [ ] }: pkgs:
        pkgs.stdenv.mkDerivation rec {
          pname = name;
          inherit version;
          src = ./.;
          buildPhase = ''
            make PREFIX=$out
            notAKey = ''${x};
            echo "${name} { inner = 1; }"
          '';
          meta = {
            license = nixpkgs.lib.licenses.mit;
          };
        };

      twice = f: x: f (f x);

      overlay = final: prev: {
        harbour = final.callPackage (mkPier { name = "harbour"; }) { };
      };
    in
    {
      overlays.default = overlay;
      lib = { inherit mkPier twice; };
    }
    // utils.lib.eachSystem systems (system:
      let
        pkgs = import nixpkgs { inherit system; overlays = [ overlay ]; };
      in
      rec {
        packages.default = pkgs.harbour;
        packages."with-tides" = pkgs.harbour.override { tides = true; };
        devShells = {
          default = pkgs.mkShell {
            packages = with pkgs; [ gcc cmake ];
            shellHook = "export TIDE=high";
          };
        };
        checks.${system} = packages.default;
        formatter = pkgs.nixfmt;
      });
}
