{ config, lib, pkgs, ... }:

with lib;

let
  cfg = config.services.harbour;

  # Renders one pier.
  renderPier = name: pier: ''
    [pier "${name}"]
    depth = ${toString pier.depth}
  '';

  pierOptions = { name, ... }: {
    options = {
      depth = mkOption {
        type = types.int;
        default = 12;
      };
    };
  };

  settings = rec {
    port = 8080;
    host = "localhost";
    url = "http://${host}:${toString port}";
  };

  "quoted name" = true;
  inherit (lib) mkIf;
  paths = [ ./a.nix ../b.nix <nixpkgs> ];
  compose = f: g: x: f (g x);
  assertDeep = pier: assert pier.depth > 0; pier;
  choose = if cfg.enable then { inner = 1; } else { };
in
{
  imports = [ ./tides.nix ];

  options.services.harbour = {
    enable = mkEnableOption "the harbour";

    /* How deep it is.
       In metres. */
    depth = mkOption { type = types.int; };

    piers = mkOption {
      type = types.attrsOf (types.submodule pierOptions);
      default = { };
    };
  };

  config = mkIf cfg.enable {
    systemd.services.harbour = {
      wantedBy = [ "multi-user.target" ];
      serviceConfig = {
        ExecStart = "${pkgs.harbour}/bin/harbour";
        Restart = "always";
      };
      script = ''
        exec harbour --depth ${toString cfg.depth}
      '';
    };
    users.users.harbour.isSystemUser = true;
    environment.etc."harbour.conf".text = concatStrings (mapAttrsToList renderPier cfg.piers);
  };

  meta = {
    maintainers = [ ];
    doc = ./harbour.md;
  };
}
