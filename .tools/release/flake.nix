# Nix flake of the release, made by `npm run release -- --url`.
{
  description = "Terminal trading desk: ladder, tickets, journal and a practice exchange inside";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      forEach = nixpkgs.lib.genAttrs systems;
    in {
      packages = forEach (system:
        let pkgs = nixpkgs.legacyPackages.${system};
        in {
          default = pkgs.stdenvNoCC.mkDerivation {
            pname = "pitdesk";
            version = "@version@";
            src = pkgs.fetchurl {
              url = "@url@";
              hash = "@sri@";
            };
            nativeBuildInputs = [ pkgs.makeWrapper pkgs.installShellFiles ];
            dontBuild = true;
            installPhase = ''
              runHook preInstall
              mkdir -p $out/lib/pitdesk
              cp -r . $out/lib/pitdesk
              makeWrapper ${pkgs.nodejs_24}/bin/node $out/bin/pitdesk --add-flags $out/lib/pitdesk/dist/pitdesk.js
              installManPage $out/lib/pitdesk/dist/man/*
              installShellCompletion --cmd pitdesk --bash completions/pitdesk.bash \
                --zsh completions/_pitdesk --fish completions/pitdesk.fish
              runHook postInstall
            '';
            meta = {
              description = "Terminal trading desk";
              license = pkgs.lib.licenses.mit;
              mainProgram = "pitdesk";
            };
          };
        });

      apps = forEach (system: {
        default = {
          type = "app";
          program = "${self.packages.${system}.default}/bin/pitdesk";
        };
      });
    };
}
