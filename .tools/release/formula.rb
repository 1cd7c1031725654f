# Homebrew formula of the release, made by `npm run release -- --url`.
class Pitdesk < Formula
  desc "Terminal trading desk: ladder, tickets, journal and a practice exchange inside"
  homepage "@homepage@"
  url "@url@"
  sha256 "@sha256@"
  license "MIT"

  depends_on "node"

  def install
    libexec.install Dir["*"]
    bin.install_symlink libexec/"dist/pitdesk.js" => "pitdesk"
    man1.install_symlink Dir[libexec/"dist/man/*.1"]
    man7.install_symlink Dir[libexec/"dist/man/*.7"]
    bash_completion.install_symlink libexec/"completions/pitdesk.bash" => "pitdesk"
    zsh_completion.install_symlink libexec/"completions/_pitdesk"
    fish_completion.install_symlink libexec/"completions/pitdesk.fish"
  end

  test do
    assert_equal "#{version}\n", shell_output("#{bin}/pitdesk --version")
    assert_match "no exchange is named", shell_output("#{bin}/pitdesk symbols 2>&1", 1)
  end
end
